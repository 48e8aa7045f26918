import { failure } from "../../../errors/errors.ts";
import {
  type HookEvent,
  hookEvents,
  parseSubscription,
  type Subscription,
  subscriptions,
} from "../../../models/event-kinds.ts";

/** A null action means any. */
interface Expectation {
  text: string;
  kind: HookEvent;
  action: string | null;
}

/** An event meets at most one expectation. */
export interface Expectations {
  meet(event: { type: string; action: string }): void;
  /** As typed, in order. */
  open(): string[];
}

export function parseExpectations(texts: readonly string[], events: readonly Subscription[]): Expectations {
  let open = texts.map((text) => parseExpectation(text, events));
  return {
    meet({ type, action }) {
      const met = open.find((one) => one.kind === type && (one.action ?? action) === action);
      open = open.filter((one) => one !== met);
    },
    open: () => open.map(({ text }) => text),
  };
}

function parseExpectation(text: string, events: readonly Subscription[]): Expectation {
  const wanted = subscriptions.find((known) => known === text);
  const { kind, action } = wanted ? parseSubscription(wanted) : { kind: null, action: null };
  const isHeard =
    kind !== null && events.some((event) => event === kind || event === text || isPart(event, text));
  if (kind && isHeard) return { text, kind, action };
  throw failure(
    "usage",
    `--expect must be one of the listened events (${events.join(", ")}), or one with its action like Job:completed, not "${text}".`,
  );
}

const isPart = (event: string, text: string) => event.startsWith(`${text}:`);

/** Default: all events of records. */
export function parseEvents(text: string | undefined): Subscription[] {
  if (text === undefined) return hookEvents.filter((kind) => kind !== "Ping");
  return text.split(",").map((word) => {
    const event = subscriptions.find((known) => known === word.trim());
    if (event) return event;
    throw failure(
      "usage",
      `--events must be some of ${hookEvents.join(", ")}, or one with its action like Job:completed, not "${word}".`,
    );
  });
}
