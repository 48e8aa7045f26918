import type * as z from "zod";
import { failure } from "../../errors/errors.ts";
import { hookEvents, type Subscription } from "../../models/event-kinds.ts";
import type { UpdateWebhookModel } from "../../models/hook.ts";
import { hiddenValue } from "../../models/own-headers.ts";
import type { Hook } from "../../store/queries/hooks.ts";

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

/**
 * Refuses, of who may not see the headers, an address elsewhere that they would be sent to: there they would be read
 * (OP-289).
 */
export function requireKnownHeaders(
  { headers: kept, url }: Pick<Hook, "headers" | "url">,
  sent: Pick<z.output<typeof UpdateWebhookModel>, "headers" | "url">,
): void {
  const hasNone = kept !== null && Object.keys(kept).length === 0;
  if (hasNone || !sent.url || new URL(sent.url).origin === new URL(url).origin) return;
  if (sent.headers !== undefined && !Object.values(sent.headers ?? {}).includes(hiddenValue)) return;
  const field = "UpdateWebhookModel.headers";
  const detail = `${field}: their values are for ${new URL(url).host} alone; with another address give each a value, or null for none.`;
  throw failure("missing_value", detail, field);
}
