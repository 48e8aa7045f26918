import type { Caller } from "../../core/caller.ts";
import { walkRecords } from "../../core/lists/walk-records.ts";
import { newestVersion } from "../../models/api-versions.ts";
import type { AnswerNamed } from "../../operations/client.ts";
import { loadOperation } from "../../operations/index.ts";

interface Listed {
  "drivers.all": AnswerNamed<"drivers.all">["results"][number];
  "locations.list": AnswerNamed<"locations.list">["results"][number];
  "trucks.all": AnswerNamed<"trucks.all">["results"][number];
}

/** Every record of a short list. */
export async function readWhole<Name extends keyof Listed>(
  caller: Caller,
  name: Name,
): Promise<Listed[Name][]> {
  const records: Listed[Name][] = [];
  const request = { params: {}, query: { page_limit: "1000" }, version: newestVersion };
  // The records of the newest version are what its model says.
  for await (const { record } of walkRecords(caller, await loadOperation(name), request))
    records.push(record as unknown as Listed[Name]);
  return records;
}
