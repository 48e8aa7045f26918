import { pause } from "../../runtime/pause.ts";
import { follow } from "./follow.ts";
import type { Hook, Inspector, LoggedEvent } from "./inspector.ts";

/** Deliveries include requests and responses, so pages are small. */
const firstLimit = 100;
const nextLimit = 30;

const pendingMs = 2_000;
const quietMs = 10_000;
/** Each webhook costs a request. */
const leastMs = 1_000;
/** Many webhooks: rarer reads with pauses, because the token may also serve a board. */
const perHookMs = 200;
const manyHooks = 10;
const betweenHooksMs = 50;

export function followDeliveries(inspector: Inspector, end: AbortSignal): Promise<void> {
  const { client, deliveries, hooks, place } = inspector;
  const known = new Set<number>();
  // After an error, continues with the next webhook. Otherwise it might never reach the last.
  let left: Hook[] = [];
  const read = async (signal: AbortSignal) => {
    await readHooks(inspector, signal);
    const chosen = Number(place.peek().hook);
    if (left.length === 0) left = [...hooks.peek()];
    if (chosen > 0) left = hooks.peek().filter(({ id }) => id === chosen);
    for await (const { id } of inTurn(left, signal)) {
      const query = { page_limit: known.has(id) ? nextLimit : firstLimit };
      const { results } = await client.call("deliveries.list", { params: { hook_id: id }, query, signal });
      known.add(id);
      deliveries.add(results);
      // The user chose another webhook.
      if (Number(place.peek().hook) !== chosen) return;
    }
  };
  const pauseMs = () => {
    const isPending = deliveries.entries.peek().some(({ item }) => item.status === "pending");
    return Math.max(isPending ? pendingMs : quietMs, hooks.peek().length * perHookMs);
  };
  return follow(inspector, end, { read, pauseMs, leastMs });
}

/** Empties the list, which keeps the rest after an error. */
export async function* inTurn(hooks: Hook[], signal: AbortSignal): AsyncGenerator<Hook> {
  const restMs = hooks.length > manyHooks ? betweenHooksMs : 0;
  for (let hook = hooks.shift(); hook; hook = hooks.shift()) {
    yield hook;
    if (restMs > 0) await pause(restMs, signal);
  }
}

export async function readHooks({ client, hooks }: Inspector, signal: AbortSignal): Promise<void> {
  const { results } = await client.call("hooks.list", { query: { page_limit: 1000 }, signal });
  hooks.value = results;
}

/** Reads each webhook's oldest deliveries since the event, and its newest ones. */
export function followDeliveriesOf(
  inspector: Inspector,
  event: Pick<LoggedEvent, "created_on" | "type">,
  onRead: () => void,
  end: AbortSignal,
): Promise<void> {
  const { client, deliveries, hooks } = inspector;
  const query = { event: event.type, page_limit: firstLimit, since: event.created_on };
  const read = async (signal: AbortSignal) => {
    await readHooks(inspector, signal);
    const told = hooks.peek().filter(({ events }) => events.includes(event.type));
    for await (const { id } of inTurn(told, signal)) {
      const readPage = (page_index: number) =>
        client.call("deliveries.list", { params: { hook_id: id }, query: { ...query, page_index }, signal });
      const newest = await readPage(1);
      const last = Math.ceil(newest.total_count / firstLimit);
      const oldest = last > 1 ? (await readPage(last)).results : [];
      deliveries.add([...newest.results, ...oldest]);
    }
    onRead();
  };
  return follow(inspector, end, { read, leastMs: pendingMs });
}
