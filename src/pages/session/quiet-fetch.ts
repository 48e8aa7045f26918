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
