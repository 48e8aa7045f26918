import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/**
 * A fake of the other system. Orders are `{ key, day, note, isCancelled, changedBy, version }`; PUT needs the version that
 * was read (0 for a new order), and `/changes` lists the orders in the order of their changes.
 */
export function createOrderBook() {
  const orders = new Map();
  let changes = 0;
  const put = (order) => {
    changes += 1;
    const stored = { ...order, version: (orders.get(order.key)?.version ?? 0) + 1, change: changes };
    orders.set(order.key, stored);
    return stored;
  };
  const answer = async (request) => {
    const { pathname, searchParams } = new URL(request.url, "http://orders");
    if (pathname === "/changes") {
      const after = Number(searchParams.get("after"));
      const found = [...orders.values()].filter(({ change }) => change > after);
      const sorted = found.sort((one, other) => one.change - other.change).slice(0, 10);
      return [200, { changes: sorted, next: sorted.at(-1)?.change ?? after }];
    }
    const key = decodeURIComponent(pathname.slice("/orders/".length));
    const order = orders.get(key);
    if (request.method !== "PUT") return order ? [200, order] : [404, {}];
    const sent = JSON.parse(await text(request));
    return Number(request.headers["if-match"]) === (order?.version ?? 0)
      ? [200, put({ ...sent, key })]
      : [409, {}];
  };
  const server = () =>
    createServer(async (request, response) => {
      const [status, body] = await answer(request);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  return { orders, put, server };
}
