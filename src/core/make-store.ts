import { randomUUID } from "node:crypto";
import { existsSync, linkSync, realpathSync, rmSync } from "node:fs";
import { DispatchError, failure } from "../errors/errors.ts";
import type { Environment } from "../runtime/environment.ts";
import { createPrivately } from "../store/life/put-in-place.ts";
import { isPostgresAddress, toShownStore } from "../store/postgres/address.ts";
import { openService } from "./open-service.ts";
import type { Service } from "./service.ts";

/** The store gets its name only when complete. Throws store_exists (unless `replaces`) and store_in_use. */
export async function makeStore<T>(
  data: string,
  fill: (service: Service) => Promise<T>,
  { env, replaces = false }: { env?: Environment | undefined; replaces?: boolean } = {},
): Promise<T> {
  if (!isPostgresAddress(data)) return replaces ? replaceFile(data, fill) : makeFile(data, fill);
  if (await isStoreThere(data, env))
    throw failure("store_exists", `There is a store in ${toShownStore(data)} already; it was not touched.`);
  const { makeInDraft } = await import("../store/postgres/draft.ts");
  return makeInDraft(data, env, (draft) => makeAndFill(draft, fill, env));
}

/** Throws if that is unknown. */
export async function isStoreThere(data: string, env?: Environment): Promise<boolean> {
  if (!isPostgresAddress(data)) return existsSync(data);
  const { store } = openService({ data, env });
  try {
    await store.database.check();
    return true;
  } catch (error) {
    if (error instanceof DispatchError && error.code === "store_not_found") return false;
    throw error;
  } finally {
    await store.close();
  }
}

function makeAndFill<T>(data: string, fill: (service: Service) => Promise<T>, env?: Environment): Promise<T> {
  const service = openService({ data, create: true, env });
  return fill(service).finally(() => service.store.close());
}

async function makeFile<T>(file: string, fill: (service: Service) => Promise<T>): Promise<T> {
  const exists = () => failure("store_exists", `There is a store at ${file} already; it was not touched.`);
  if (existsSync(file)) throw exists();
  return useDraft(file, async (draft) => {
    const result = await makeAndFill(draft, fill);
    try {
      linkSync(draft, file);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") throw exists();
      throw error;
    }
    return result;
  });
}

async function replaceFile<T>(file: string, fill: (service: Service) => Promise<T>): Promise<T> {
  const { putInPlace } = await import("../store/life/put-in-place.ts");
  // Keep a symbolic link; it then leads to the new store.
  const place = realpathSync(file);
  return useDraft(place, async (draft) => {
    const result = await makeAndFill(draft, fill);
    const replaced = `${draft}.replaced`;
    try {
      putInPlace(draft, place, replaced);
    } finally {
      removeStore(replaced);
    }
    return result;
  });
}

/** Removes the file at the end. */
async function useDraft<T>(file: string, make: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${file}.${randomUUID().slice(0, 8)}.new`;
  createPrivately(draft);
  try {
    return await make(draft);
  } finally {
    removeStore(draft);
  }
}

function removeStore(file: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(file + end, { force: true });
}
