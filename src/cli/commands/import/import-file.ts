import { exitCodes, failure } from "../../../errors/errors.ts";
import { fieldKinds } from "../../../models/fields.ts";
import { unwrap } from "../../../models/parse.ts";
import { Stopped } from "../../../sync/pace.ts";
import { findExisting } from "../../../sync/rows/find-existing.ts";
import { type Column, type ColumnOptions, matchColumns } from "../../../sync/rows/match-columns.ts";
import type { Encoding } from "../../../sync/rows/open-text.ts";
import { planRow, type RowReading, readNames, showKey } from "../../../sync/rows/plan-rows.ts";
import { readRows } from "../../../sync/rows/read-rows.ts";
import type { RowFile } from "../../../sync/rows/row-file.ts";
import type { RowKind } from "../../../sync/rows/row-kind.ts";
import type { CliContext } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { tell } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";
import { toSyncTarget } from "../../target/sync-target.ts";
import { openTarget } from "../../target/target.ts";
import { findLocation } from "./find-location.ts";
import type { ImportRun } from "./import-run.ts";
import { createPace, type ShownPace } from "./pace.ts";
import { readStdin } from "./read-stdin.ts";
import { rowWords } from "./row-words.ts";
import { runImport } from "./run-import.ts";

/** What the command line says of an import. */
export interface ImportAsked {
  settings: Settings;
  columns: ColumnOptions;
  createsWithoutKey: boolean;
  /** Between the cells of CSV; null finds out. */
  delimiter: string | null;
  encoding: Encoding;
  /** In CSV, an apostrophe before what a spreadsheet would run is a part of the text. */
  isRaw: boolean;
  /** The field that tells records apart, where it is not the noun's own. */
  key: string | undefined;
  location: string | undefined;
  makesEvents: boolean;
  planOnly: boolean;
  saysYes: boolean;
}

/** Imports a file, or shows what that would do. Gives the exit code that says how it went. */
export async function importFile(
  context: CliContext,
  rowKind: RowKind,
  file: string,
  asked: ImportAsked,
): Promise<number> {
  const { settings } = asked;
  if (!asked.makesEvents && settings.url.value !== null)
    throw failure(
      "usage",
      "--events none works on a store only: a server tells its webhooks of every change.",
    );
  if (file === "-" && settings.tokenFile.value === "-")
    throw failure("usage", "Standard input (-) can be the file or the token, not both.");
  const key = asked.key === undefined ? rowKind.key : checkKey(rowKind, asked.key);
  const pace = createPace(context);
  try {
    return await importRows(context, rowKind, file, { ...asked, key }, pace);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    pace.end();
    tell(context.stderr, "Stopped before anything was changed.");
    throw new AlreadyShown(exitCodes.interrupted);
  } finally {
    pace.end();
  }
}

async function importRows(
  context: CliContext,
  rowKind: RowKind,
  fileName: string,
  asked: ImportAsked & { key: string },
  pace: ShownPace,
): Promise<number> {
  const { createsWithoutKey, delimiter, encoding, isRaw, key, makesEvents, settings } = asked;
  const file = await readRows(fileName, readStdin(context), {
    delimiter,
    encoding,
    isRaw,
    pace,
    words: rowWords,
  });
  const columns = matchColumns(file.headers, rowKind, asked.columns);
  requireKeyColumn(file, columns, asked);
  const target = toSyncTarget(await openTarget(context, settings, { isBulk: true, makesEvents }));
  try {
    const locationId = await findLocation(target.client, asked.location);
    const now = target.clock.now();
    const reading: RowReading = {
      columns,
      createsWithoutKey,
      file,
      rowKind,
      key,
      locationId,
      now,
      words: rowWords,
    };
    const named = await readNames(reading, pace);
    const existing = await findExisting(target, rowKind, { ...named, key, locationId, pace });
    const run: ImportRun = {
      file,
      fileName,
      keyOf: (row) => showKey(reading, row),
      locationId,
      noun: rowKind.noun,
      pace,
      plan: (row) => planRow(reading, named, existing, row),
      planOnly: asked.planOnly,
      saysYes: asked.saysYes,
      settings,
      target,
    };
    return await runImport(context, run);
  } finally {
    pace.end();
    await target.caller.close();
  }
}

/** Requires a column for the key, without which no row could be found again. An exported file may have ids instead. */
function requireKeyColumn(
  { headers, name }: RowFile,
  columns: readonly Column[],
  { createsWithoutKey, key }: { createsWithoutKey: boolean; key: string },
): void {
  const isKey = (column: Column | undefined) =>
    typeof column === "object" && column !== null
      ? column.group === "record" && column.inner === key
      : column === "id" || column === "locations";
  if (headers.length === 0 || createsWithoutKey || columns.some(isKey)) return;
  throw failure(
    "usage",
    `The file has no column for ${key}, which tells the rows of ${name} apart. Name it with --map, match by another field with --key, or pass --create-without-key.`,
  );
}

/** Requires that a key is a text or a whole number of the record itself. */
function checkKey({ fields, noun }: RowKind, key: string): string {
  if (key === "id") return key;
  const field = fields.find(({ group, inner }) => group === "record" && inner === key);
  const kind = field && fieldKinds.get(unwrap(field.schema))?.name;
  if (kind === "text" || kind === "integer") return key;
  const known = fields.filter(({ group, schema }) => {
    const { name = "" } = fieldKinds.get(unwrap(schema)) ?? {};
    return group === "record" && (name === "text" || name === "integer");
  });
  const names = ["id", ...known.map(({ name }) => name)].join(", ");
  throw failure("usage", `--key "${key}" cannot tell ${noun} apart; choose from ${names}.`);
}
