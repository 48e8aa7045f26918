import { randomUUID } from "node:crypto";
import { closeSync, existsSync, linkSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { failure } from "./errors.ts";
import { openService } from "./open-service.ts";
import type { Service } from "./service.ts";

/**
 * Makes a store and fills it. It gets its name only when it is complete, so that being stopped half-way leaves no half
 * store behind, and never takes an existing file's place. Throws store_exists.
 */
export async function makeStore<T>(file: string, fill: (service: Service) => Promise<T>): Promise<T> {
  const exists = () => failure("store_exists", `There is a store at ${file} already; it was not touched.`);
  if (existsSync(file)) throw exists();
  const draft = `${file}.${randomUUID().slice(0, 8)}.new`;
  createPrivately(draft);
  try {
    const service = openService({ data: draft, create: true });
    const result = await fill(service).finally(() => service.store.close());
    linkSync(draft, file);
    return result;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw exists();
    throw error;
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(draft + end, { force: true });
  }
}

/** For its owner only: a store holds webhook secrets. */
export function createPrivately(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("store_unreadable", `${file} cannot be made: ${reason}.`, null, error);
  }
}
