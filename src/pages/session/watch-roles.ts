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
