import { resolve } from "node:path";
import { toShellWord } from "../../runtime/shell-word.ts";
import { isPostgresAddress, toShownStore } from "../../store/postgres/address.ts";
import type { CliContext } from "../context.ts";
import { keepLastStore } from "../profiles/keep-profile.ts";
import type { LastStore } from "../profiles/last-store.ts";
import { readSettings } from "../settings.ts";
import { storeOf } from "./target.ts";

/** Returns the options that commands need to use the store, each after a space; empty if none. */
export async function rememberStore(
  context: CliContext,
  { data, madeBy, tenant }: Pick<LastStore, "data" | "madeBy"> & { tenant: number | null },
): Promise<string> {
  const place = toAbsolutePath(data);
  const named = tenant === null ? null : String(tenant);
  keepLastStore(context, { data: place, isTold: false, madeBy, tenant: named });
  const settings = readSettings(context, {});
  const isThere = settings.url.value === null && toAbsolutePath(storeOf(settings).value) === place;
  // Without a tenant, commands use the first one of a demo store.
  const isItsTenant =
    settings.tenant.value === null || named === null || String(settings.tenant.value) === named;
  return [
    isThere ? "" : ` --data ${toShellWord(toShownStore(data))}`,
    isItsTenant ? "" : ` --tenant ${named}`,
  ].join("");
}

/** An absolute path means the same store from every folder. */
const toAbsolutePath = (data: string) => (isPostgresAddress(data) ? data : resolve(data));
