import type { Caller } from "../../core/caller.ts";
import { walkRecords } from "../../core/lists/walk-records.ts";
import { DispatchError } from "../../errors/errors.ts";
import { newestVersion } from "../../models/api-versions.ts";
import type { AnswerNamed } from "../../operations/client.ts";
import { loadOperation } from "../../operations/index.ts";

interface Fleet {
  "drivers.all": AnswerNamed<"drivers.all">["results"][number];
  "trucks.all": AnswerNamed<"trucks.all">["results"][number];
}

/** The trucks or drivers of all locations; null on servers of earlier programs, which list them by location only (OP-408). */
export async function readFleet<Name extends keyof Fleet>(
  caller: Caller,
  name: Name,
): Promise<Fleet[Name][] | null> {
  const records: Fleet[Name][] = [];
  const request = { params: {}, query: { page_limit: "1000" }, version: newestVersion };
  try {
    // The records of the newest version are what its model says.
    for await (const { record } of walkRecords(caller, await loadOperation(name), request))
      records.push(record as unknown as Fleet[Name]);
    return records;
  } catch (error) {
    if (error instanceof DispatchError && error.code === "operation_not_found") return null;
    throw error;
  }
}
