import { randomUUID } from "node:crypto";
import { existsSync, linkSync, rmSync } from "node:fs";
import type { Service } from "../core/service.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { createPrivately } from "../store/life/private-file.ts";
import { isPostgresAddress, toShownStore } from "../store/postgres/address.ts";
import { openService } from "./open-service.ts";

/**
 * Makes a store and fills it. The store gets its name only when it is complete, so a run that is stopped half-way leaves
 * no half store behind. It never replaces an existing store: throws store_exists.
 */
export async function makeStore<T>(data: string, fill: (service: Service) => Promise<T>): Promise<T> {
  if (!isPostgresAddress(data)) return makeFile(data, fill);
  if (await isStoreThere(data))
    throw failure("store_exists", `There is a store in ${toShownStore(data)} already; it was not touched.`);
  const { makeInDraft } = await import("../store/postgres/draft.ts");
  return makeInDraft(data, (draft) => makeAndFill(draft, fill));
}

/** Whether there is a store. Throws when that cannot be found out. */
export async function isStoreThere(data: string): Promise<boolean> {
  if (!isPostgresAddress(data)) return existsSync(data);
  const { store } = openService({ data });
  try {
    await store.check();
    return true;
  } catch (error) {
    if (error instanceof DispatchError && error.code === "store_not_found") return false;
    throw error;
  } finally {
    await store.close();
  }
}

function makeAndFill<T>(data: string, fill: (service: Service) => Promise<T>): Promise<T> {
  const service = openService({ data, create: true });
  return fill(service).finally(() => service.store.close());
}

async function makeFile<T>(file: string, fill: (service: Service) => Promise<T>): Promise<T> {
  const exists = () => failure("store_exists", `There is a store at ${file} already; it was not touched.`);
  if (existsSync(file)) throw exists();
  const draft = `${file}.${randomUUID().slice(0, 8)}.new`;
  createPrivately(draft);
  try {
    const result = await makeAndFill(draft, fill);
    linkSync(draft, file);
    return result;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw exists();
    throw error;
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(draft + end, { force: true });
  }
}
