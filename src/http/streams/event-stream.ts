import type { Actor } from "../../core/actor.ts";
import { callOperation, isAllowed } from "../../core/call-operation.ts";
import { isDocument, rolesOf } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { DispatchError } from "../../errors/errors.ts";
import type { HookEvent } from "../../models/event-kinds.ts";
import type { JsonObject } from "../../models/json.ts";
import { toJson } from "../../models/versions/serializer.ts";
import { loadOperation } from "../../operations/index.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { heartbeat, writePlace, writeSentEvent } from "../../runtime/server-sent-events.ts";
import type { LoggedEvent } from "../../store/queries/events.ts";
import { type BodyOptions, toBody, toBodyAt } from "../../webhooks/event-body.ts";
import type { OpenStream, Sink } from "../http-messages.ts";
import type { EventFeed } from "./event-feed.ts";

const heartbeatMs = 15_000;

/** The server ends a stream whose client has not read for this long. */
const stalledMsMax = 15_000;

/** The delay before a client reconnects. */
const retryMs = 1_000;

/** Clients reconnect at random within this time after a server's end. */
const returnMsMax = 2_000;

/** The client left, read too slowly, or lost its access; the server ended or failed. */
export const streamEnds = ["client", "slow", "access", "server", "fault"] as const;
export type StreamEnd = (typeof streamEnds)[number];

/** Which events a stream shows, and how. */
export interface Shown extends BodyOptions {
  wants(kind: HookEvent, action: string): boolean;
}

export interface StreamOptions {
  service: Service;
  /** Throws if the caller has lost its access. */
  again(): Promise<Actor>;
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  nowMs(): number;
  onFault(error: unknown): void;
  requestId: string;
  shown: Shown;
  /** The client's last event. */
  place: { number: number; uuid: string };
  /** An id that the log no longer has; else null. */
  missedId: string | null;
}

export class EventStream implements OpenStream {
  readonly #options: StreamOptions;
  readonly #feed: () => EventFeed;
  readonly #onEnd: (why: StreamEnd) => void;
  #sink: Sink | null = null;
  #why: StreamEnd | null = null;
  #wake: () => void = () => undefined;
  #sentMs = 0;
  #stalledSinceMs: number | null = null;
  /** The store could not identify the caller. Until it does, the stream sends nothing. */
  #isBlind = false;
  #toldUuid: string;

  constructor(options: StreamOptions, feed: () => EventFeed, onEnd: (why: StreamEnd) => void) {
    this.#options = options;
    this.#feed = feed;
    this.#onEnd = onEnd;
    this.#toldUuid = options.place.uuid;
  }

  start(sink: Sink): void {
    this.#sink = sink;
    sink.onClose(() => this.#end("client"));
    sink.onDrain(() => {
      this.#stalledSinceMs = null;
      this.#wake();
    });
    const { missedId, place } = this.#options;
    this.#send(writePlace({ id: place.uuid, retryMs }));
    if (missedId !== null) this.#send(writeMissed(missedId, place.uuid));
    this.#readOn().catch((error: unknown) => {
      this.#options.onFault(error);
      this.#end("fault");
    });
  }

  end(): void {
    this.#end("server");
  }

  /** Twice a second: keeps the stream alive, and ends it if the client does not read or has lost its access. */
  async tick(): Promise<void> {
    const nowMs = this.#options.nowMs();
    if (this.#stalledSinceMs !== null && nowMs - this.#stalledSinceMs >= stalledMsMax) this.#end("slow");
    if ((await this.#findActor()) && this.#isBlind) this.#wake();
    if (this.#stalledSinceMs !== null || nowMs - this.#sentMs < heartbeatMs) return;
    const { uuid } = this.#options.place;
    // A client that resumes skips the same events.
    this.#send(
      uuid === this.#toldUuid ? heartbeat : heartbeat.replace("\n\n", "\n") + writePlace({ id: uuid }),
    );
    this.#toldUuid = uuid;
  }

  async #readOn(): Promise<void> {
    const { inTurn, place } = this.#options;
    const feed = this.#feed();
    while (this.#why === null) {
      const texts = await inTurn(() => this.#read(feed));
      for (const text of texts) this.#send(text);
      if (this.#stalledSinceMs !== null || this.#isBlind) await this.#woken();
      else if (texts.length === 0) await Promise.race([feed.beyond(place.number), this.#woken()]);
    }
  }

  /** Empty without a new event, and while the caller is unknown. */
  async #read(feed: EventFeed): Promise<string[]> {
    const { requestId, service, place, shown } = this.#options;
    const texts: string[] = [];
    const events = this.#why === null ? await feed.following(place.number) : [];
    if (events.length === 0) return [];
    const actor = await this.#findActor();
    this.#isBlind = actor === null;
    if (!actor) return [];
    for (const event of events) {
      const isWanted = shown.wants(event.kind, event.action);
      const text = isWanted ? await showEvent(service, { actor, requestId, shown }, event) : null;
      place.number = event.id;
      place.uuid = event.uuid;
      if (text === null) continue;
      texts.push(text);
      this.#toldUuid = event.uuid;
    }
    return texts;
  }

  async #findActor(): Promise<Actor | null> {
    if (this.#why !== null) return null;
    try {
      return await this.#options.again();
    } catch (error) {
      const code = error instanceof DispatchError ? error.code : null;
      if (code === "unauthenticated" || code === "tenant_not_accessible") this.#end("access");
      return null;
    }
  }

  #send(text: string): void {
    if (this.#why !== null || !this.#sink) return;
    this.#sentMs = this.#options.nowMs();
    if (!this.#sink.write(text)) this.#stalledSinceMs ??= this.#sentMs;
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #end(why: StreamEnd): void {
    if (this.#why !== null) return;
    if (why === "server") this.#send(writePlace({ retryMs: returnMsMax * (0.25 + 0.75 * Math.random()) }));
    this.#why = why;
    this.#sink?.end({ cut: why === "slow" || why === "fault" });
    this.#wake();
    this.#onEnd(why);
  }
}

/** Tells a client that resumes that events are missing. */
function writeMissed(lastEventId: string, uuid: string): string {
  const detail = `There is no event ${lastEventId} in the log any more, so events may be missing. Read the shown records again; from here on no event is missing.`;
  const data = JSON.stringify({ detail, last_event_id: lastEventId, type: "Missed" });
  return writeSentEvent({ event: "Missed", id: uuid, data });
}

export interface Onlooker {
  actor: Actor;
  requestId: string;
  shown: BodyOptions;
}

/** null if the caller may not see the record. Only a caller with the whole tenant gets the webhook's payload. */
export async function showEvent(
  service: Service,
  { actor, requestId, shown }: Onlooker,
  event: LoggedEvent,
): Promise<string | null> {
  const { action, created_on: createdOn, kind, record_id: recordId, uuid } = event;
  const version = shown.apiVersion;
  const { tenantId, rowScopes } = actor.scope;
  const write = (body: string) => writeSentEvent({ event: kind, id: uuid, data: body });
  const toOwnBody = () => write(toBody({ ...event, createdOn }, tenantId, shown));
  const operation = await loadOperation(getOfEvent(kind));
  if (!isAllowed(actor.roles, rolesOf(operation)) || isDocument(operation.output)) return null;
  if (rowScopes.some((scope) => scope.kind === "tenant")) return toOwnBody();
  try {
    const params = toGetParams({ kind, recordId, data: JSON.parse(event.data) as JsonObject });
    const call = { actor, body: async () => undefined, params, query: {}, requestId, version };
    const { value } = await callOperation(service, operation, call);
    if (kind === "Ping") return toOwnBody();
    const record = toJson(operation.output, value, version);
    return write(toBodyAt({ action, createdOn, kind, uuid }, tenantId, version, record));
  } catch (error) {
    if (error instanceof DispatchError && error.code === "record_not_found") return null;
    throw error;
  }
}

/** A caller who may see the event's record may see the event. The record of a ping is its webhook. */
function getOfEvent(kind: HookEvent) {
  return gets[kind];
}

const gets = {
  Customer: kindOf("customers").get,
  CustomerLocation: kindOf("customer-locations").get,
  Job: kindOf("jobs").get,
  Ping: kindOf("hooks").get,
  Truck: kindOf("trucks").get,
} as const satisfies Record<HookEvent, string>;

function toGetParams(event: { kind: HookEvent; recordId: number; data: JsonObject }): Record<string, string> {
  const { data, kind, recordId } = event;
  const id = String(recordId);
  const location = String(data.location_id);
  switch (kind) {
    case "Customer":
      return { customer_id: id };
    case "CustomerLocation":
      return { customer_id: id, customer_location_id: location };
    case "Job":
      return { job_id: id, location_id: location };
    case "Ping":
      return { hook_id: id };
    case "Truck":
      return { location_id: location, truck_id: id };
  }
}
