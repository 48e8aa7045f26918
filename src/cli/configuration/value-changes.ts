import { toShownValue } from "./config-option.ts";
import type { ConfigValue } from "./option-ways.ts";

/** What became otherwise, a sentence each; secrets are masked (OP-317). */
export function toChanges(before: readonly ConfigValue[], now: readonly ConfigValue[]): string[] {
  return now.flatMap((value) => {
    const old = before.find(({ names }) => names.key === value.names.key);
    if (!old) return [];
    const [was, is] = [toShownText(old), toShownText(value)];
    if (was !== is) return [`${value.names.key} is ${is}, was ${was} (${value.source}).`];
    if (JSON.stringify(old.given) !== JSON.stringify(value.given))
      return [`${value.names.key} has another secret (${value.source}).`];
    return old.digest === value.digest ? [] : [`What ${value.names.key} names has changed: ${is}.`];
  });
}

/** Says that a value stays until the server is started anew. */
export function toRefusal(old: ConfigValue, now: ConfigValue | null): string {
  const wanted = now === null ? "not set any more" : `${toShownText(now)} (${now.source})`;
  return `${old.names.key} stays ${toShownText(old)}: that it is ${wanted} counts from a restart on.`;
}

/** A value in words, secrets masked. */
export function toShownText(value: Pick<ConfigValue, "given" | "option">): string {
  const shown = toShownValue(value);
  if (shown === null || (Array.isArray(shown) && shown.length === 0)) return "–";
  return Array.isArray(shown) ? shown.join(", ") : String(shown);
}
