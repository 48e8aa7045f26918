import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Client } from "../../client/client.ts";
import type { NewestVersion, OperationsAt } from "../../client/wire.ts";
import { DispatchError } from "../../errors/dispatch-error.ts";
import { mayPass, messageOf } from "../session/keep-trying.ts";
import type { Session } from "../session/session.ts";
import { quietFetch } from "../session/session-fetch.ts";
import { createFeed, type Feed } from "./create-feed.ts";
import { createPlaces, type Places } from "./place.ts";

type AnswerOf<Name extends keyof OperationsAt<NewestVersion>> = OperationsAt<NewestVersion>[Name]["answer"];

/** What the lists of the service have. */
export type ListedRequest = AnswerOf<"requests.tail">["results"][number];
export type RecordedRequest = AnswerOf<"requests.get">;
export type LoggedEvent = AnswerOf<"events.list">["results"][number];
export type Delivery = AnswerOf<"deliveries.list">["results"][number];
export type Hook = AnswerOf<"hooks.list">["results"][number];

/** What the parts of the page have in common. */
export interface Inspector extends Places {
  client: Client;
  session: Session;
  requests: Feed<ListedRequest>;
  events: Feed<LoggedEvent>;
  deliveries: Feed<Delivery>;
  hooks: Signal<readonly Hook[]>;
  /** How often something happened: lists are read on when it grows. */
  happened: Signal<number>;
  isPaused: Signal<boolean>;
  /** null until the service has answered, or has not. */
  isConnected: ReadonlySignal<boolean | null>;
  /** Why the view that is open cannot be read; empty when it can. */
  refusal: Signal<string>;
  /** Notes that the service has answered. */
  noteAnswer(): void;
  /** Notes that the service does not answer; tells whether the next attempt may succeed. */
  noteFailure(error: unknown): boolean;
  /** Notes the same of what somebody has asked for; tells it in words. */
  tellFailure(error: unknown): string;
}

/** An inspector that has read nothing yet; the signal ends it. */
export function createInspector(session: Session, end: AbortSignal): Inspector {
  const isConnected = signal<boolean | null>(null);
  const noteFailure = (error: unknown) => {
    const isPassing = !(error instanceof DispatchError) || mayPass(error);
    if (isPassing) isConnected.value = false;
    return isPassing;
  };
  return {
    ...createPlaces(end),
    // What is asked again and again needs no other retries, which would only tell later that nobody answers.
    client: session.createClient({ fetch: quietFetch, retries: 0 }),
    session,
    requests: createFeed<ListedRequest>({
      idOf: ({ request_id }) => request_id,
      atOf: ({ answered_on }) => answered_on,
      textOf: toText,
    }),
    events: createFeed<LoggedEvent>({
      idOf: ({ id }) => id,
      atOf: ({ created_on }) => created_on,
      textOf: (event) => JSON.stringify(event),
    }),
    deliveries: createFeed<Delivery>({
      idOf: toDeliveryEntry,
      atOf: ({ created_on }) => created_on,
      stateOf: ({ attempt, next_attempt_on, status }) => [attempt, next_attempt_on, status].join(),
      textOf: toText,
    }),
    hooks: signal([]),
    happened: signal(0),
    isPaused: signal(false),
    isConnected,
    refusal: signal(""),
    noteAnswer() {
      isConnected.value = true;
    },
    noteFailure,
    tellFailure(error) {
      noteFailure(error);
      return messageOf(error);
    },
  };
}

/** How the address names a delivery: it is found by its webhook only. */
export const toDeliveryEntry = ({ delivery_id, hook_id }: Pick<Delivery, "delivery_id" | "hook_id">) =>
  `${hook_id}/${delivery_id}`;

/** The texts and numbers of a record itself; what is within them is long, and looked at when it is opened. */
const toText = (item: object) =>
  Object.values(item)
    .filter((value) => typeof value === "string" || typeof value === "number")
    .join(" ");

/** What can become of a delivery. */
export type DeliveryStatus = Delivery["status"];

const looks: Readonly<Record<DeliveryStatus, string>> = {
  pending: "",
  delivered: "good",
  failed: "alarm",
  cancelled: "quiet",
};

/** All that can become of one. */
export const deliveryStatuses: readonly string[] = Object.keys(looks);

/** How it looks; one whose last attempt came to nothing looks so though others follow. */
export function lookOfOutcome(status: DeliveryStatus, httpStatus: number | null): string {
  const isRefused = httpStatus !== null && (httpStatus < 200 || httpStatus > 299);
  return status === "pending" && isRefused ? "alarm" : looks[status];
}
