import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Service } from "../core/service.ts";
import { clientOf, findOwner } from "../http/local-client.ts";
import { newestVersion } from "../models/api-versions.ts";
import { hookEvents } from "../models/event-kinds.ts";

interface ReceivedEvent {
  id: string;
  type: string;
  action: string;
  api_version: string;
  tenant_id: number;
  timestamp: string;
  data: Record<string, unknown>;
  /** The signed body. */
  body: string;
  headers: IncomingHttpHeaders;
}

interface NextEvent {
  /** Skips events of other types. */
  type?: string;
  /** 5 s by default. */
  timeoutMs?: number;
}

export interface ReceivedEvents {
  /** The next event that was not returned yet. Rejects with an error that lists the other events. */
  next(wanted?: NextEvent): Promise<ReceivedEvent>;
  forget(): void;
}

export interface TestReceiver {
  events: ReceivedEvents;
  /** Creates a webhook for all kinds of events. Returns its secret. */
  subscribe(service: Service, tenantId: number): Promise<string>;
  close(): Promise<void>;
}

/** Listens on loopback and accepts every delivery. */
export async function startReceiver(): Promise<TestReceiver> {
  const events = new EventQueue();
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    response.end();
    events.add({ ...JSON.parse(body), body, headers: request.headers });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    events,
    async subscribe(service, tenantId) {
      const owner = await findOwner(service, tenantId);
      const kinds = hookEvents.filter((kind) => kind !== "Ping");
      const { secret } = await clientOf(service, owner).call("hooks.create", {
        body: { api_version: newestVersion, events: kinds, url: `http://127.0.0.1:${port}/` },
      });
      return secret ?? "";
    },
    async close() {
      events.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const timeoutMsDefault = 5000;

/** The oldest of more events are dropped. */
const eventsMax = 10_000;

interface Waiting {
  type: string | undefined;
  give(event: ReceivedEvent): void;
  fail(why: string): void;
}

class EventQueue implements ReceivedEvents {
  #events: ReceivedEvent[] = [];
  #waiting: Waiting[] = [];
  #hasEnded = false;

  add(event: ReceivedEvent): void {
    this.#events.push(event);
    if (this.#events.length > eventsMax) this.#events.shift();
    const served = this.#waiting.find(({ type }) => type === undefined || type === event.type);
    if (!served) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== served);
    // A waiting `next` has already skipped the earlier events.
    this.#events = [];
    served.give(event);
  }

  next = async ({ type, timeoutMs = timeoutMsDefault }: NextEvent = {}): Promise<ReceivedEvent> => {
    if (type !== undefined && !isHookEvent(type))
      throw new TypeError(`events.next: type must be one of ${hookEvents.join(", ")}, not ${type}.`);
    const at = this.#events.findIndex((event) => type === undefined || event.type === type);
    const known = this.#events[at];
    if (known) {
      this.#events = this.#events.slice(at + 1);
      return known;
    }
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        finish();
      };
      const waiting: Waiting = {
        type,
        give: (event) => end(() => resolve(event)),
        fail: (why) => end(() => reject(new Error(`No ${type ?? "event"} ${why} ${this.#tellEvents()}`))),
      };
      const timer = setTimeout(() => waiting.fail(`came within ${timeoutMs} ms.`), timeoutMs);
      this.#waiting.push(waiting);
      if (this.#hasEnded) this.end();
    });
  };

  forget(): void {
    this.#events = [];
  }

  end(): void {
    this.#hasEnded = true;
    for (const { fail } of [...this.#waiting]) fail("came before the server was closed.");
  }

  #tellEvents(): string {
    if (this.#events.length === 0) return "Nothing else came.";
    const shown = this.#events
      .slice(-eventsShown)
      .map(({ action, data, type }) => `${type} ${data.id ?? ""} ${action}`);
    const more = this.#events.length - shown.length;
    return `What came instead: ${more > 0 ? `${more} more, ` : ""}${shown.join(", ")}.`;
  }
}

const eventsShown = 10;

const isHookEvent = (text: string) => hookEvents.some((kind) => kind === text);
