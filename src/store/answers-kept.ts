/** How long the answer of a request with an Idempotency-Key is kept, to be given again. */
export const answersKeptMs = 24 * 60 * 60 * 1000;
