import { distance } from "fastest-levenshtein";
import type { Client } from "../../client/client.ts";
import { DispatchError } from "../../errors/errors.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { toNameKey } from "../../records/same-name.ts";
import { searchRecords } from "./record-finder.ts";
import { toLabel } from "./resolve-name.ts";

/**
 * A warning if a customer has almost the name of a new one, or its phone number, else null. Search before the new
 * customer exists: near names are found only if no other name matches.
 */
export async function findDouble(
  client: Client,
  { contacts, name }: { contacts?: unknown; name: string },
  dryRun: boolean,
): Promise<string | null> {
  const own = toBareName(name);
  const named = await searchActive(client, own);
  const like = named.find(({ record }) => isAlike(toBareName(record.names[0] ?? ""), own));
  const double = like ? `${name} looks like` : `${name} has the phone number of`;
  const same = like ?? (await findPhone(client, contacts));
  if (!same) return null;
  // After a dry run, undo would take back an older change.
  const back = dryRun ? "" : "; `dispatch-cli undo` takes the new one back";
  return `${double} customer ${toLabel(same.record)}. If it is the same, use that one${back}.`;
}

async function findPhone(client: Client, contacts: unknown) {
  for (const contact of Array.isArray(contacts) ? contacts : []) {
    const { number }: { number?: unknown } = Object(contact);
    if (typeof number !== "string") continue;
    const same = (await searchActive(client, number)).find(({ match }) => match === "exact");
    if (same) return same;
  }
  return undefined;
}

/** The creation itself reports an invalid name or number. */
async function searchActive(client: Client, words: string) {
  const found = await searchRecords(client, kindOf("customers"), words, {}).catch((error: unknown) => {
    if (error instanceof DispatchError) return null;
    throw error;
  });
  return (found ?? []).filter(({ isActive }) => isActive);
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
