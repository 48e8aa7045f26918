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
