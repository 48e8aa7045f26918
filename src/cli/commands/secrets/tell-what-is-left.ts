import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { forgetDeleted } from "../../../store/life/reseal-secrets.ts";
import { isPostgresAddress } from "../../../store/postgres/address.ts";

/**
 * Removes what is left of former secrets in a store's file; gives what the operator has to do elsewhere. A server of
 * PostgreSQL keeps old versions of rows, which only its operator removes.
 */
export function tellWhatIsLeft(data: string): string[] {
  if (isPostgresAddress(data)) {
    return [
      "PostgreSQL keeps former versions of rows until `vacuum full hooks`, and longer in its write-ahead log and backups.",
      toldOfBackups,
    ];
  }
  forgetDeleted(data);
  const copies = readdirSync(dirname(data)).filter(
    (name) => name.startsWith(`${basename(data)}.`) && /\.(?:bak|before-restore)/.test(name),
  );
  if (copies.length === 0) return [toldOfBackups];
  const paths = copies.map((name) => join(dirname(data), name)).join(", ");
  return [`Copies beside the store hold what it held: ${paths}.`, toldOfBackups];
}

const toldOfBackups = "Backups that were made before hold the secrets as they were then.";
