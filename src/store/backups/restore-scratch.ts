import { dirname } from "node:path";
import { failure } from "../../errors/errors.ts";
import { type CheckedCopy, checkCopy } from "../life/check-copy.ts";
import { requireRoom } from "../life/require-room.ts";
import type { OpenedBackup } from "./open-backup.ts";

/**
 * Unpacks a backup into a new file and reads every table, index and reference of it; the rows must be those of the head.
 * Gives what SQLite finds wrong with it as `problem`. Throws backup_unusable and file_not_written.
 */
export async function restoreScratch(
  opened: OpenedBackup,
  file: string,
  progress: (text: string) => void,
): Promise<CheckedCopy> {
  const { head, name } = opened;
  requireRoom(dirname(file), head.bytes);
  await opened.unpack(file, (done) => progress(`unpacking ${Math.floor(done * 100)} %`));
  const checked = await checkCopy(file, (table) => progress(`checking ${table}`));
  const isAsSaid =
    checked.schema === head.schema && JSON.stringify(checked.rows) === JSON.stringify(head.rows);
  if (checked.problem !== null || isAsSaid) return checked;
  throw failure("backup_unusable", `${name} is damaged. It holds other rows than its head says.`);
}
