import { existsSync, linkSync, rmSync } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { systemClock } from "../../runtime/clock.ts";
import type { Environment } from "../../runtime/environment.ts";
import type { Hold } from "../held-deliveries.ts";
import { openDatabase } from "../open-database.ts";
import { isPostgresAddress, toShownStore } from "../postgres/address.ts";
import { type CopyProgress, type CopyReport, copyStore } from "./copy-store.ts";
import { createPrivately } from "./private-file.ts";

/**
 * Copies a store to another place. A file gets its name only when the copy is whole; until then it is `<file>.copying`,
 * from which the same call goes on when it was interrupted. The
 * copy's deliveries are held, for the reason given. Throws store_exists, store_not_found, state_conflict.
 */
export async function copyStoreTo(
  from: string,
  to: string,
  report: (progress: CopyProgress) => void,
  {
    env,
    reason = "this store is the copy of another",
  }: { env?: Environment | undefined; reason?: string } = {},
): Promise<CopyReport & { hold: Hold; shown: { from: string; to: string } }> {
  const isFile = !isPostgresAddress(to);
  const exists = () => failure("store_exists", `There is a store at ${to} already; it was not touched.`);
  if (isFile && existsSync(to)) throw exists();
  const draft = isFile ? `${to}.copying` : to;
  const source = openDatabase(from, { env });
  try {
    // Throws what is wrong with the source before anything is made.
    await source.check();
    if (isFile && !existsSync(draft)) createPrivately(draft);
    const hold = { since: systemClock.now(), reason };
    const target = openDatabase(draft, { create: true, env });
    const copied = await copyStore(source, target, report, hold).finally(() => target.close());
    if (isFile) giveName(draft, to, exists);
    return { ...copied, hold, shown: { from: toShownStore(from), to: toShownStore(to) } };
  } finally {
    await source.close();
  }
}

function giveName(draft: string, file: string, exists: () => Error): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "EEXIST" ? exists() : error;
  }
  for (const end of ["", "-wal", "-shm"]) rmSync(draft + end, { force: true });
}
