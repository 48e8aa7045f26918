/** The order changed since it was read. */
export class StaleOrderError extends Error {}

/** Calls the other system. */
export function createOrderClient(url, fetch = globalThis.fetch) {
  async function call(path, init) {
    const answer = await fetch(url + path, init);
    if (answer.status === 404) return null;
    if (answer.status === 409) throw new StaleOrderError(`${path} has another version.`);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}.`);
    return answer.json();
  }
  const toPath = (key) => `/orders/${encodeURIComponent(key)}`;
  return {
    get: (key, signal) => call(toPath(key), { signal }),
    changesAfter: (number, signal) => call(`/changes?after=${number}`, { signal }),
    put: (order, version, signal) =>
      call(toPath(order.key), {
        method: "PUT",
        headers: { "if-match": String(version) },
        body: JSON.stringify(order),
        signal,
      }),
  };
}
