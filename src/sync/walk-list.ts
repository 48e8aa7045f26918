import { type WalkedRecord, walkRecords } from "../core/lists/walk-records.ts";
import type { Operation } from "../core/operation.ts";
import { newestVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../models/json.ts";
import { loadOperation } from "../operations/index.ts";
import type { SyncTarget } from "./target.ts";
import { walkEverywhere } from "./walk-everywhere.ts";

/** Parameters of an operation's path. */
export type Params = Record<string, string>;

/** Every record of a list, by id: no change that is made meanwhile moves a record in that order. */
export async function* walkList(
  target: SyncTarget,
  operation: Operation,
  params: Params,
): AsyncGenerator<WalkedRecord> {
  const request = { params, query: {}, version: newestVersion, order: "id" } as const;
  yield* walkRecords(target.caller, operation, request);
}

/** The same of a list that each location has, of one location after the other. */
export async function* walkLocated(
  { caller }: SyncTarget,
  operation: Operation,
): AsyncGenerator<WalkedRecord> {
  const request = { params: {}, query: {}, version: newestVersion, order: "id" } as const;
  for await (const { records, texts } of walkEverywhere(caller, operation, request))
    for (const [index, record] of records.entries()) yield { record, text: texts[index] ?? "" };
}

/** A record as a read of it shows it, with its entity tag. */
export async function readWhole(
  { caller }: Pick<SyncTarget, "caller">,
  get: Operation,
  params: Params,
): Promise<{ answer: JsonObject; etag: string | null }> {
  const request = { body: undefined, dryRun: false, params, query: {}, version: newestVersion };
  const answer = await caller.call(get, request);
  if (answer.kind === "file") throw new Error(`${get.name} answers with a file.`);
  return { answer: JSON.parse(answer.text) as JsonObject, etag: answer.etag ?? null };
}

/** The parameters that name each location of the tenant. */
export async function locationsOf(target: SyncTarget): Promise<Params[]> {
  const places: Params[] = [];
  for await (const { record } of walkList(target, await loadOperation("locations.list"), {}))
    places.push({ location_id: String(record.id) });
  return places;
}
