import type { Actor } from "../../auth/actor.ts";
import { failure } from "../../errors/errors.ts";
import { hookEvents, type Subscription } from "../../models/event-kinds.ts";
import { hiddenValue } from "../../models/own-headers.ts";

/** Refuses an action of a kind that the webhook is told of whole: one of the two says what is not meant (OP-288). */
export function requireClearEvents(events: readonly Subscription[], model: string): void {
  for (const kind of hookEvents) {
    const action = events.find((event) => event.startsWith(`${kind}:`));
    if (action === undefined || !events.includes(kind)) continue;
    const field = `${model}.events`;
    const detail = `${field}: ${kind} has every action in it, ${action} too; leave one of the two out.`;
    throw failure("invalid_choice", detail, field);
  }
}

/** The headers to keep: a value that its reader was not shown stays what it is, by name (OP-289). */
export function toKeptHeaders(
  sent: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> | null,
  model: string,
): Record<string, string> {
  const entries = Object.entries(sent).map(([name, value]) => {
    if (value !== hiddenValue) return [name, value] as const;
    const kept = before && Object.hasOwn(before, name) ? before[name] : undefined;
    if (kept !== undefined) return [name, kept] as const;
    const field = `${model}.headers`;
    throw failure(
      "invalid_format",
      `${field}: ${name} has no value yet that ${hiddenValue} could stand for.`,
      field,
    );
  });
  return Object.fromEntries(entries);
}

/** The names of the headers whose values were sent, and not only kept. */
export function namesSet(sent: Readonly<Record<string, string>> | null | undefined): string[] {
  return Object.entries(sent ?? {}).flatMap(([name, value]) => (value === hiddenValue ? [] : [name]));
}

/**
 * Refuses to send values that the caller is not shown to another place, where it could read them: of who is no Admin a new
 * URL takes the values anew, or gives them up (OP-289).
 */
export function requireKnownHeaders(
  { roles }: Pick<Actor, "roles">,
  hidden: readonly string[],
  model: string,
): void {
  if (roles.includes("Admin") || hidden.length === 0) return;
  const field = `${model}.headers`;
  const detail = `${field} must have the values of ${hidden.join(", ")}, which are not shown to the caller, when the URL is another; or leave these headers out.`;
  throw failure("missing_value", detail, field);
}
