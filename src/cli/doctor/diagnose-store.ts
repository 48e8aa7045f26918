import { statSync } from "node:fs";
import { DispatchError } from "../../errors/errors.ts";
import { type Timestamp, toEpochMs } from "../../runtime/clock.ts";
import type { Environment } from "../../runtime/environment.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import {
  findBrokenJson,
  type ReadDepth,
  readDamage,
  readFolderFacts,
} from "../../store/health/file-facts.ts";
import { readPostgresFacts } from "../../store/health/postgres-facts.ts";
import { readRecordFacts } from "../../store/health/record-facts.ts";
import { readSchemaStatus, type SchemaStatus } from "../../store/life/schema-status.ts";
import { openDatabase } from "../../store/open-database.ts";
import { isPostgresAddress, parsePostgresAddress, toShownStore } from "../../store/postgres/address.ts";
import { stateOf } from "../../store/postgres/errors.ts";
import { readDefinitionsOfPostgres } from "../../store/postgres/postgres.ts";
import { countWrongParts } from "../../store/queries/job-parts.ts";
import { metadataQueries } from "../../store/queries/metadata.ts";
import { compareDefinitions, isDerived, type TableFacts } from "../../store/schema/table-facts.ts";
import type { SecretKeys } from "../../store/secrets/secret-keys.ts";
import { connectToRead } from "../../store/sqlite/connect.ts";
import { expectedDefinitions, readDefinitions } from "../../store/sqlite/definitions.ts";
import { describeDriver } from "../../store/sqlite/driver.ts";
import { countWrong } from "../../store/sqlite/kept-counts.ts";
import { toReadOnlyQueries } from "../../store/sqlite/sqlite.ts";
import { readClock } from "../../store/store-clock.ts";
import { fileChecks, toRestore } from "./file-checks.ts";
import { bad, type Check, type Finding, judgeAll, ok, warn } from "./finding.ts";
import { postgresChecks } from "./postgres-checks.ts";
import { recordChecks } from "./record-checks.ts";
import { countsCheck, tableChecks, type ValuesAt, valueChecks } from "./table-checks.ts";

/** Changes nothing. Throws store_not_found. */
export async function diagnoseFile(
  file: string,
  now: Timestamp,
  depth: ReadDepth,
  keys: SecretKeys = [],
): Promise<Finding[]> {
  const opening = await open(file, (error) => toFileFix(error, file));
  if (!("value" in opening)) return [opening.finding];
  // Read before opening the store, which creates files beside it.
  const outside = readFolderFacts(file, toEpochMs(now));
  const connection = connectToRead(file);
  try {
    const facts = { ...outside, ...readDamage(connection, depth) };
    const findings = [
      ...judgeAll([schemaCheck], opening.value),
      { check: "driver", ...ok(describeDriver()) },
      ...judgeAll(fileChecks, facts),
    ];
    // The queries need current tables, and damaged tables may return anything.
    if (!isCurrent(opening.value) || facts.damage.length > 0) return findings;
    const tables = compareDefinitions(expectedDefinitions(), readDefinitions(connection));
    const isComplete = [...tables.missing, ...tables.different].every(isDerived);
    findings.push(...judgeTables(file, tables));
    if (!isComplete) return findings;
    const db = toReadOnlyQueries(connection);
    const values = await readValues(connection, db, depth, facts.bytes);
    findings.push(...judgeAll(valueChecks, { ...values, ...toFixes(file) }));
    return [...findings, ...(await diagnoseRecords(file, now, db, keys).catch(toDamage(file)))];
  } finally {
    connection.close();
  }
}

/** Changes nothing. Throws store_not_found. */
export async function diagnosePostgres(
  data: string,
  now: Timestamp,
  depth: ReadDepth,
  keys: SecretKeys = [],
  env: Environment = {},
): Promise<Finding[]> {
  const opening = await open(data, (error) => toPostgresFix(error, data), env);
  if (!("value" in opening)) return [opening.finding];
  const findings = judgeAll([schemaCheck], opening.value);
  // Opening an older store would migrate it.
  if (!isCurrent(opening.value)) return findings;
  const database = openDatabase(data, { env });
  try {
    const address = parsePostgresAddress(data, env);
    findings.push(...judgeAll(postgresChecks, await readPostgresFacts(database.db, address)));
    const { expected, found } = await readDefinitionsOfPostgres(data, env);
    const tables = expected && compareDefinitions(expected, found);
    findings.push(...judgeTables(data, tables));
    if (tables !== null && ![...tables.missing, ...tables.different].every(isDerived)) return findings;
    const wrongCounts = depth === "full" ? await countWrongParts(database.db) : null;
    findings.push(...judgeAll([countsCheck], { wrongCounts, ...toFixes(data) }));
    return [...findings, ...(await diagnoseRecords(data, now, database.db, keys))];
  } finally {
    await database.close();
  }
}

function toRestoreAnywhere(data: string): string {
  if (!isPostgresAddress(data)) return toRestore(data);
  return "Restore a backup into an empty database (`dispatch-cli restore <backup> --data postgres://…`), and use that one.";
}

const toTarget = (data: string) => `--data ${toShellWord(toShownStore(data))}`;

const toFixes = (data: string) => ({
  repair: `dispatch-cli migrate --repair ${toTarget(data)}`,
  restore: toRestoreAnywhere(data),
});

function judgeTables(data: string, facts: TableFacts | null): Finding[] {
  return judgeAll(tableChecks, { facts, ...toFixes(data) });
}

/** JSON in a file up to this size is checked in a fraction of a second, without --full. */
const smallBytesMax = 64 * 1024 ** 2;

async function readValues(
  connection: ReturnType<typeof connectToRead>,
  db: ReturnType<typeof toReadOnlyQueries>,
  depth: ReadDepth,
  bytes: number,
): Promise<Pick<ValuesAt, "brokenJson" | "wrongCounts">> {
  const readsJson = depth === "full" || (depth === "pages" && bytes <= smallBytesMax);
  return {
    brokenJson: readsJson ? findBrokenJson(connection) : null,
    wrongCounts: depth === "full" ? countWrong(connection) + (await countWrongParts(db)) : null,
  };
}

/** Damage that only reading the records finds, as with --quick. */
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
  const clock = await readClock({
    clock: { unmoved: () => now },
    store: { metadata: metadataQueries(db) },
  });
  const facts = await readRecordFacts(db, clock.store_time);
  return judgeAll(recordChecks, {
    facts,
    isSandbox: clock.sandbox,
    keys,
    now: clock.store_time,
    restore: toRestoreAnywhere(data),
    target: toTarget(data),
  });
}

const isCurrent = (status: SchemaStatus) => status.schema >= status.newest && !isTooNew(status);

const isTooNew = ({ newest, oldest_program, schema }: SchemaStatus) =>
  schema > newest && oldest_program > newest;

const schemaCheck: Check<SchemaStatus> = {
  name: "store",
  judge: (status) => {
    const { newest, schema, store } = status;
    if (schema === newest) return ok(`opens; schema ${schema} is the newest`);
    if (schema > newest && !isTooNew(status))
      return ok(`opens; schema ${schema} of a newer program works with this one (${newest}) too`);
    if (schema > newest)
      return bad(`has schema ${schema}; this program knows ${newest}`, "Use a newer dispatch-cli.");
    return warn(
      `has schema ${schema} of ${newest}; the next command upgrades it`,
      `dispatch-cli migrate --data ${toShellWord(store)}`,
    );
  },
};

/** An unreadable store is a finding. A missing store is an error. */
async function open(
  data: string,
  toFix: (error: DispatchError) => string,
  env: Environment = {},
): Promise<{ value: SchemaStatus } | { finding: Finding }> {
  try {
    return { value: await readSchemaStatus(data, env) };
  } catch (error) {
    if (!(error instanceof DispatchError) || !["store_unreadable", "store_unavailable"].includes(error.code))
      throw error;
    return { finding: { check: "store", ...bad(error.message, toFix(error)) } };
  }
}

function toFileFix({ cause, code }: DispatchError, file: string): string {
  if (code === "store_unavailable")
    return "Wait for the program that holds it, or stop that program, and try again.";
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (isEmpty(file) || /NOTADB|CORRUPT/.test(reason)) return toRestore(file);
  return "Choose another store with --data, or give this user access to the file and its folder.";
}

function isEmpty(file: string): boolean {
  try {
    return statSync(file).size === 0;
  } catch {
    return false;
  }
}

/** An error of the server or network has a cause; an error about the tables has none. */
function toPostgresFix(error: DispatchError, data: string): string {
  const { cause, code } = error;
  if (code === "store_unreadable" && cause === undefined) return toRestoreAnywhere(data);
  if (stateOf(error) === "53300")
    return "Allow more connections (`max_connections`, `alter role … connection limit`), or use fewer servers, a smaller `pool_max` in their address, or PgBouncer.";
  return "Start the server, or correct the address, user, or password in --data.";
}
