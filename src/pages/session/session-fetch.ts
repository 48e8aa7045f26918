import { toRefusal } from "../../client/refusal.ts";

/** The token of a session, which the same user may replace. */
export interface Access {
  /** Sends with the token of the moment. After a 401 it waits for another token, and sends the request again with that. */
  sendingBy(send: typeof fetch): typeof fetch;
  /** Replaces a token that has expired, and lets the waiting requests go. */
  renew(token: string): void;
  /** Ends every wait. */
  end(): void;
}

/** Begins with a token that is good. `onExpiry` learns why the service refuses it, once for each token. */
export function createAccess(token: string, onExpiry: (why: string) => void): Access {
  let current = token;
  const ending = new AbortController();
  let renewal: Promise<void> | null = null;
  let letGo: () => void = () => undefined;
  const expire = async (answer: Response) => {
    renewal = new Promise((resolve) => {
      letGo = resolve;
    });
    const { headers, status } = answer;
    // The connection may break inside the answer; requests must not wait for a sign-in window that never opens.
    const bytes = new Uint8Array(await answer.arrayBuffer().catch(() => new ArrayBuffer(0)));
    onExpiry(toRefusal(answer.url, { bytes, headers, status }).message);
  };
  return {
    sendingBy: (send) => async (input, init) => {
      for (;;) {
        if (renewal !== null) await untilAborted(renewal, [ending.signal, init?.signal]);
        const used = current;
        const headers = new Headers(init?.headers);
        headers.set("authorization", `Bearer ${used}`);
        const answer = await send(input, { ...init, headers });
        if (answer.status !== 401) return answer;
        if (used === current && renewal === null) await expire(answer);
      }
    },
    renew(given) {
      current = given;
      renewal = null;
      letGo();
    },
    end: () => ending.abort(),
  };
}

/** Waits for a promise; rejects as soon as one of the signals ends the wait. */
function untilAborted(promise: Promise<void>, signals: (AbortSignal | null | undefined)[]): Promise<void> {
  const ending = AbortSignal.any(signals.filter((signal) => signal !== null && signal !== undefined));
  ending.throwIfAborted();
  return new Promise((resolve, reject) => {
    ending.addEventListener("abort", () => reject(ending.reason), { once: true });
    promise.then(resolve, reject);
  });
}

/** However little tells of it, roles are asked for again after so long; only while something else is asked for, too. */
const askedMsMax = 60_000;

/**
 * Fetches that have `ask` learn of other roles: when something is refused, when a stream is opened anew, and now and then
 * (OP-406). Nothing waits for it. `ask` throws nothing.
 */
export function watchRoles(ask: () => Promise<void>): (send: typeof fetch) => typeof fetch {
  let askedMs = performance.now();
  let isAsking = false;
  let hasStream = false;
  const learn = async () => {
    if (isAsking) return;
    isAsking = true;
    askedMs = performance.now();
    await ask();
    isAsking = false;
  };
  return (send) =>
    async (...request) => {
      const answer = await send(...request);
      const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
      if (answer.status === 403 || (isStream && hasStream) || performance.now() - askedMs > askedMsMax)
        void learn();
      hasStream ||= isStream;
      return answer;
    };
}

/*
 * Signing in and looking at requests are requests too, of which a list of requests would be full. They name themselves: a
 * version 8 UUID is for ids that somebody makes by rules of their own (RFC 9562, 5.8). So a list can leave them out, those of
 * another tab and of this one before it was loaded again too (OP-389).
 */

const mark = "696e7370-6563-8";

/** A fetch whose requests are known as those of a page that only looks. */
export const quietFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("x-request-id", makeId());
  return fetch(input, { ...init, headers });
};

/** Whether a page only looked; what it was told to do counts as anybody's. */
export const isQuiet = ({ method, request_id }: { method: string; request_id: string }): boolean =>
  method === "GET" && request_id.startsWith(mark);

function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${mark}${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}
