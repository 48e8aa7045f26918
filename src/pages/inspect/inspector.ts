import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Client } from "../../client/client.ts";
import type { NewestVersion, OperationsAt } from "../../client/wire.ts";
import { DispatchError } from "../../errors/dispatch-error.ts";
import { mayPass, messageOf } from "../session/keep-trying.ts";
import type { Session } from "../session/session.ts";
import { createFeed, type Feed } from "./create-feed.ts";
import { createPlaces, type Places } from "./place.ts";

type AnswerOf<Name extends keyof OperationsAt<NewestVersion>> = OperationsAt<NewestVersion>[Name]["answer"];

export type ListedRequest = AnswerOf<"requests.tail">["results"][number];
export type RecordedRequest = AnswerOf<"requests.get">;
export type LoggedEvent = AnswerOf<"events.list">["results"][number];
export type Delivery = AnswerOf<"deliveries.list">["results"][number];
export type Hook = AnswerOf<"hooks.list">["results"][number];

export interface Inspector extends Places {
  client: Client;
  session: Session;
  requests: Feed<ListedRequest>;
  events: Feed<LoggedEvent>;
  deliveries: Feed<Delivery>;
  hooks: Signal<readonly Hook[]>;
  /** The requests whose recorded contents have the searched text. */
  found: Signal<ReadonlySet<string>>;
  /** Grows with each event; then lists read more pages. */
  happened: Signal<number>;
  isPaused: Signal<boolean>;
  isConnected: ReadonlySignal<boolean | null>;
  refusal: Signal<string>;
  noteAnswer(): void;
  /** Returns whether another attempt may succeed. */
  noteFailure(error: unknown): boolean;
  /** Returns the message of a failed user action. */
  tellFailure(error: unknown): string;
}

export function createInspector(session: Session, end: AbortSignal): Inspector {
  const isConnected = signal<boolean | null>(null);
  const noteFailure = (error: unknown) => {
    const isPassing = !(error instanceof DispatchError) || mayPass(error);
    if (isPassing) isConnected.value = false;
    return isPassing;
  };
  return {
    ...createPlaces(end),
    // Polling needs no retries, which would only delay the report of a failure.
    client: session.createClient({ retries: 0 }),
    session,
    requests: createFeed<ListedRequest>({
      idOf: ({ request_id }) => request_id,
      atOf: ({ answered_on }) => answered_on,
      textOf: ({ path, query, ...rest }) => [`${path}?${query}`, ...Object.values(rest)].join(" "),
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
      textOf: ({ request, response, ...rest }) =>
        [...Object.values(rest), request?.body, response?.body].join(" "),
    }),
    hooks: signal([]),
    found: signal(new Set()),
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

/** The address needs the webhook to find a delivery. */
export const toDeliveryEntry = ({ delivery_id, hook_id }: Pick<Delivery, "delivery_id" | "hook_id">) =>
  `${hook_id}/${delivery_id}`;

export type DeliveryStatus = Delivery["status"];

const looks: Readonly<Record<DeliveryStatus, string>> = {
  pending: "",
  delivered: "good",
  failed: "alarm",
  cancelled: "quiet",
};

export const deliveryStatuses: readonly string[] = Object.keys(looks);

export function lookOfOutcome(status: DeliveryStatus, httpStatus: number | null): string {
  const isRefused = httpStatus !== null && (httpStatus < 200 || httpStatus > 299);
  return status === "pending" && isRefused ? "alarm" : looks[status];
}
