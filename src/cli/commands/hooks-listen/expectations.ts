import { failure } from "../../../errors/errors.ts";
import { type HookEvent, hookEvents } from "../../../models/event-kinds.ts";

/** An event that is waited for; a null action is any. */
interface Expectation {
  text: string;
  kind: HookEvent;
  action: string | null;
}

/** The events that are still expected. An event meets at most one expectation. */
export interface Expectations {
  /** Takes an event off the list. */
  meet(event: { type: string; action: string }): void;
  /** As they were written, in order. */
  open(): string[];
}

/** Reads `--expect Job:completed`, for kinds that are listened to. Throws a usage error for anything else. */
export function parseExpectations(texts: readonly string[], kinds: readonly HookEvent[]): Expectations {
  let open = texts.map((text) => parseExpectation(text, kinds));
  return {
    meet({ type, action }) {
      const met = open.find((one) => one.kind === type && (one.action ?? action) === action);
      open = open.filter((one) => one !== met);
    },
    open: () => open.map(({ text }) => text),
  };
}

function parseExpectation(text: string, kinds: readonly HookEvent[]): Expectation {
  const [, name, action = null] = /^(\w+)(?::(\w+))?$/.exec(text) ?? [];
  const kind = kinds.find((known) => known === name);
  if (kind) return { text, kind, action };
  throw failure(
    "usage",
    `--expect must be an event that is listened to (${kinds.join(", ")}), or one with its action like Job:completed, not "${text}".`,
  );
}

/** Reads `--events Job,Customer`; by default all that records have. */
export function parseEvents(text: string | undefined): HookEvent[] {
  if (text === undefined) return hookEvents.filter((kind) => kind !== "Ping");
  return text.split(",").map((word) => {
    const kind = hookEvents.find((known) => known === word.trim());
    if (kind) return kind;
    throw failure("usage", `--events must be some of ${hookEvents.join(", ")}, not "${word}".`);
  });
}
