import { toRefusal } from "../../client/refusal.ts";

export interface Access {
  /** After a 401, waits for another token and repeats the request. */
  sendingBy(send: typeof fetch): typeof fetch;
  /** Replaces an expired token and resumes the waiting requests. */
  renew(token: string): void;
  end(): void;
}

/** Calls `onExpiry` once for each token. */
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
    // The connection may break here. The sign-in dialog must open all the same.
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

function untilAborted(promise: Promise<void>, signals: (AbortSignal | null | undefined)[]): Promise<void> {
  const ending = AbortSignal.any(signals.filter((signal) => signal !== null && signal !== undefined));
  ending.throwIfAborted();
  return new Promise((resolve, reject) => {
    ending.addEventListener("abort", () => reject(ending.reason), { once: true });
    promise.then(resolve, reject);
  });
}

const askedMsMax = 60_000;

/** Calls `ask` after a 403, after a reconnected stream, and once a minute. `ask` must not throw. */
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

/** The prefix of request ids of reads by pages, which a list can hide (UUID version 8, RFC 9562). */
const mark = "696e7370-6563-8";

/** A write of a page counts as anyone's. */
export const quietFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("x-request-id", makeId());
  return fetch(input, { ...init, headers });
};

export const isQuiet = ({ method, request_id }: { method: string; request_id: string }): boolean =>
  method === "GET" && request_id.startsWith(mark);

function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${mark}${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}
