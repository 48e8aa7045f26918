import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/**
 * Starts a receiver that records each delivery in order, and whether it accepted it. It answers 500 to the first
 * attempt of every nth event.
 */
export async function startNotingReceiver(refusedEach) {
  const arrivals = [];
  const refused = new Set();
  const server = createServer(async (request, response) => {
    // A killed server hangs up in the middle, so nothing arrived.
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const id = request.headers["webhook-id"];
    const isTaken = (arrivals.length + 1) % refusedEach > 0 || refused.has(id);
    if (!isTaken) refused.add(id);
    arrivals.push({ id, isTaken, type: JSON.parse(body).type });
    response.writeHead(isTaken ? 200 : 500).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    arrivals,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Compares the deliveries with a store's events in the order of their ids. Each event must be accepted at least once,
 * nothing else may arrive, and no event may arrive before an earlier event of its record is accepted.
 */
export function compareArrivals(events, arrivals) {
  const known = new Set(events.map(({ uuid }) => uuid));
  const wrongs = arrivals
    .filter(({ id, type }) => type !== "Ping" && !known.has(id))
    .map(({ id }) => `${id} arrived, and there is no such event`);
  const firstArrival = new Map();
  const firstTaken = new Map();
  for (const [at, { id, isTaken }] of arrivals.entries()) {
    if (!firstArrival.has(id)) firstArrival.set(id, at);
    if (isTaken && !firstTaken.has(id)) firstTaken.set(id, at);
  }
  const lastOfRecord = new Map();
  for (const { id, uuid, kind, record_id } of events) {
    const record = `${kind} ${record_id}`;
    const takenAt = firstTaken.get(uuid);
    if (takenAt === undefined) wrongs.push(`event ${id} (${record}) was never delivered`);
    if ((firstArrival.get(uuid) ?? Infinity) < (lastOfRecord.get(record) ?? -1)) {
      wrongs.push(`event ${id} (${record}) arrived before an earlier one was taken`);
    }
    lastOfRecord.set(record, takenAt ?? -1);
  }
  return wrongs;
}
