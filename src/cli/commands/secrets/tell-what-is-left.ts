import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { forgetDeleted } from "../../../store/life/reseal-secrets.ts";
import { isPostgresAddress } from "../../../store/postgres/address.ts";

/** Returns what the operator must do: PostgreSQL keeps old row versions, which only its operator can delete. */
export function tellWhatIsLeft(data: string): string[] {
  if (isPostgresAddress(data)) {
    return [
      "PostgreSQL keeps old row versions until `vacuum full hooks`, and longer in its write-ahead log and backups.",
      toldOfBackups,
    ];
  }
  forgetDeleted(data);
  const copies = readdirSync(dirname(data)).filter(
    (name) => name.startsWith(`${basename(data)}.`) && /\.(?:bak|before-restore)/.test(name),
  );
  if (copies.length === 0) return [toldOfBackups];
  const paths = copies.map((name) => join(dirname(data), name)).join(", ");
  return [`Copies beside the store still hold the old secrets: ${paths}.`, toldOfBackups];
}

const toldOfBackups = "Earlier backups still hold the old secrets.";
