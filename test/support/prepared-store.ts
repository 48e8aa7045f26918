import { openService } from "../../src/local/open-service.ts";
import type { DatabaseKind, TestDatabase } from "./databases.ts";
import { type Acme, createAcme, createGlobex, type Globex } from "./tenants.ts";
import { createTestClock } from "./test-clock.ts";

/** A store with the two tenants of the tests, and what is known of them. */
interface PreparedStore {
  acme: Acme;
  database: TestDatabase;
  globex: Globex;
}

/** One of each kind in a process: to copy a store takes a tenth of the time that it takes to fill one. */
const originals = new Map<DatabaseKind, Promise<PreparedStore>>();

/** Creates a closed store with the two tenants of the tests. */
export async function openPreparedStore(kind: DatabaseKind): Promise<PreparedStore> {
  const original = originals.get(kind) ?? prepare(kind);
  originals.set(kind, original);
  const { acme, database, globex } = await original;
  return { acme: structuredClone(acme), database: kind.copy(database), globex: structuredClone(globex) };
}

/** Stays until the run is over: the place in which tests make their stores goes then. */
async function prepare(kind: DatabaseKind): Promise<PreparedStore> {
  const database = kind.create();
  const service = openService({ clock: createTestClock(), create: true, data: database.data });
  const acme = await createAcme(service, database);
  const globex = await createGlobex(service, database);
  await service.store.close();
  database.close();
  return { acme, database, globex };
}
