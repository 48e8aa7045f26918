import { DispatchError } from "../errors/errors.ts";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { toShellWord } from "../runtime/shell-word.ts";
import { type ReadDepth, readDamage, readFolderFacts } from "../store/health/file-facts.ts";
import { readPostgresFacts } from "../store/health/postgres-facts.ts";
import { readRecordFacts } from "../store/health/record-facts.ts";
import { readSchemaStatus, type SchemaStatus } from "../store/life/schema-status.ts";
import { openDatabase } from "../store/open-database.ts";
import { parsePostgresAddress, toShownStore } from "../store/postgres/address.ts";
import { metadataQueries } from "../store/queries/metadata.ts";
import type { SecretKeys } from "../store/secrets/secret-keys.ts";
import { connectToRead } from "../store/sqlite/connect.ts";
import { toReadOnlyQueries } from "../store/sqlite/sqlite.ts";
import { readClock } from "../store/store-clock.ts";
import { fileChecks, toRestore } from "./file-checks.ts";
import { bad, type Check, type Finding, judgeAll, ok, warn } from "./finding.ts";
import { postgresChecks } from "./postgres-checks.ts";
import { recordChecks } from "./record-checks.ts";

/** Looks at a store's file and what is in it, and changes nothing. Throws store_not_found. */
export async function diagnoseFile(
  file: string,
  now: Timestamp,
  depth: ReadDepth,
  keys: SecretKeys = [],
): Promise<Finding[]> {
  const opening = await open(file, (error) => toFileFix(error, file));
  if (!("value" in opening)) return [opening.finding];
  // This comes before the store is opened, which makes files beside it.
  const outside = readFolderFacts(file, toEpochMs(now));
  const connection = connectToRead(file);
  try {
    const facts = { ...outside, ...readDamage(connection, depth) };
    const findings = [...judgeAll([schemaCheck], opening.value), ...judgeAll(fileChecks, facts)];
    // The queries do not fit older or newer tables, and damaged tables answer anything.
    if (isCurrent(opening.value) && facts.damage.length === 0)
      findings.push(
        ...(await diagnoseRecords(file, now, toReadOnlyQueries(connection), keys).catch(toDamage(file))),
      );
    return findings;
  } finally {
    connection.close();
  }
}

/** Looks at a store in a PostgreSQL database, and changes nothing. Throws store_not_found. */
export async function diagnosePostgres(
  data: string,
  now: Timestamp,
  keys: SecretKeys = [],
): Promise<Finding[]> {
  const opening = await open(
    data,
    () => "Start the server, or correct the address, the user or the password in --data.",
  );
  if (!("value" in opening)) return [opening.finding];
  const findings = judgeAll([schemaCheck], opening.value);
  // Opening an older store would migrate it.
  if (!isCurrent(opening.value)) return findings;
  const database = openDatabase(data);
  try {
    const { poolMax } = parsePostgresAddress(data);
    findings.push(...judgeAll(postgresChecks, await readPostgresFacts(database.db, poolMax)));
    return [...findings, ...(await diagnoseRecords(data, now, database.db, keys))];
  } finally {
    await database.close();
  }
}

/** Damage that only reading the records met, because nobody looked for it before. */
function toDamage(file: string): (error: unknown) => Finding[] {
  return (error) => {
    if (!(error instanceof DispatchError) || error.code !== "store_unreadable") throw error;
    return [{ check: "records", ...bad(error.message, toRestore(file)) }];
  };
}

async function diagnoseRecords(
  data: string,
  now: Timestamp,
  db: Parameters<typeof readRecordFacts>[0],
  keys: SecretKeys,
): Promise<Finding[]> {
  const target = `--data ${toShellWord(toShownStore(data))}`;
  const clock = await readClock({
    machineClock: { now: () => now },
    store: { metadata: metadataQueries(db) },
  });
  const facts = await readRecordFacts(db, clock.store_time);
  return judgeAll(recordChecks, { facts, isSandbox: clock.sandbox, keys, now: clock.store_time, target });
}

const isCurrent = ({ newest, schema }: SchemaStatus) => schema === newest;

const schemaCheck: Check<SchemaStatus> = {
  name: "store",
  judge: ({ newest, schema, store }) => {
    if (schema === newest) return ok(`opens, and has schema ${schema}, the newest`);
    if (schema > newest)
      return bad(`has schema ${schema}; this program knows ${newest}`, "Use a newer dispatch-cli.");
    return warn(
      `has schema ${schema} of ${newest}; the next command brings it up to date`,
      `dispatch-cli migrate --data ${toShellWord(store)}`,
    );
  },
};

/** A store that cannot be opened is a finding; a store that is not there is an error. */
async function open(
  data: string,
  toFix: (error: DispatchError) => string,
): Promise<{ value: SchemaStatus } | { finding: Finding }> {
  try {
    return { value: await readSchemaStatus(data) };
  } catch (error) {
    if (!(error instanceof DispatchError) || !["store_unreadable", "store_unavailable"].includes(error.code))
      throw error;
    return { finding: { check: "store", ...bad(error.message, toFix(error)) } };
  }
}

function toFileFix({ cause, code }: DispatchError, file: string): string {
  if (code === "store_unavailable") return "Wait for the program that holds it, or end that, and look again.";
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (/NOTADB|CORRUPT/.test(reason)) return toRestore(file);
  return "Name another store with --data, or give this user access to the file and its folder.";
}
