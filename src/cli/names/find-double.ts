import { distance } from "fastest-levenshtein";
import type { Client } from "../../client/client.ts";
import { DispatchError } from "../../errors/errors.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { toNameKey } from "../../records/same-name.ts";
import { searchRecords } from "./record-finder.ts";
import { toLabel } from "./resolve-name.ts";

/**
 * A warning if a customer has almost the name of a new one, else null. Search before the new customer exists: near names
 * are found only if no other name matches.
 */
export async function findDouble(client: Client, name: string, dryRun: boolean): Promise<string | null> {
  const own = toBareName(name);
  // The creation itself reports an invalid name.
  const found = await searchRecords(client, kindOf("customers"), own, {}).catch((error: unknown) => {
    if (error instanceof DispatchError) return null;
    throw error;
  });
  const like = found?.find(
    ({ isActive, record }) => isActive && isAlike(toBareName(record.names[0] ?? ""), own),
  );
  if (!like) return null;
  // After a dry run, undo would take back an older change.
  const back = dryRun ? "" : "; `dispatch-cli undo` takes the new one back";
  return `${name} looks like customer ${toLabel(like.record)}. If it is the same, use that one${back}.`;
}

/** Names with different numbers, such as Store 12 and Store 13, are different customers. */
function isAlike(one: string, other: string): boolean {
  const [digits, others] = [one, other].map((text) => text.replace(/\D/g, ""));
  return digits === others && distance(one, other) <= Math.floor(other.length / lettersPerSlip);
}

const lettersPerSlip = 6;

/** Without the legal form. */
const toBareName = (name: string) =>
  toNameKey(name)
    .replace(/\s(?:co|company|corp|corporation|inc|incorporated|llc|llp|lp|ltd)$/, "")
    .replace(/\s+/g, " ")
    .trim();
