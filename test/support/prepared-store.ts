import { openService } from "../../src/core/open-service.ts";
import type { DatabaseKind, TestDatabase } from "./databases.ts";
import { type Acme, createAcme, createGlobex, type Globex } from "./tenants.ts";
import { createTestClock } from "./test-clock.ts";

/** A store with the tests' two tenants, and their ids and tokens. */
interface PreparedStore {
  acme: Acme;
  database: TestDatabase;
  globex: Globex;
}

/** One store per database kind and process: a copy takes a tenth of the time of a new one. */
const originals = new Map<DatabaseKind, Promise<PreparedStore>>();

/** Creates a closed store with the two tenants of the tests. */
export async function openPreparedStore(kind: DatabaseKind): Promise<PreparedStore> {
  const original = originals.get(kind) ?? prepare(kind);
  originals.set(kind, original);
  const { acme, database, globex } = await original;
  return { acme: structuredClone(acme), database: kind.copy(database), globex: structuredClone(globex) };
}

/** Prepares the store. Its files remain until the end of the run, which removes the tests' folder. */
async function prepare(kind: DatabaseKind): Promise<PreparedStore> {
  const database = kind.create();
  const service = openService({ clock: createTestClock(), create: true, data: database.data });
  const acme = await createAcme(service, database);
  const globex = await createGlobex(service, database);
  await service.store.close();
  database.close();
  return { acme, database, globex };
}
