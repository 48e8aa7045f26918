import { readZones } from "../../../board/read-zones.ts";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { dateOrderOf } from "../../../local-time/date-order.ts";
import { fieldKinds } from "../../../models/fields.ts";
import { unwrap } from "../../../models/parse.ts";
import { isId } from "../../../records/is-id.ts";
import { kindOf } from "../../../records/record-kinds.ts";
import { Stopped } from "../../../sync/pace.ts";
import { findExisting } from "../../../sync/rows/find-existing.ts";
import { openGuess } from "../../../sync/rows/guess-coordinates.ts";
import { findNamed } from "../../../sync/rows/named-records.ts";
import { draftRows, planRow, type RowReading, readNames, showKey } from "../../../sync/rows/plan-rows.ts";
import type { CellReading } from "../../../sync/rows/read-cell.ts";
import { createTally } from "../../../sync/rows/read-cell.ts";
import { createResolver } from "../../../sync/rows/resolve-names.ts";
import type { RowFile } from "../../../sync/rows/row-file.ts";
import type { RowKind } from "../../../sync/rows/row-kind.ts";
import { toTypeWords } from "../../../sync/rows/type-words.ts";
import type { SyncTarget } from "../../../sync/target.ts";
import type { CliContext } from "../../context.ts";
import { refuseLocations, usualLocation } from "../../names/follow-records.ts";
import { readLocation } from "../../names/read-location.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { tell } from "../../output/tell.ts";
import type { Settings } from "../../settings.ts";
import { toSyncTarget } from "../../target/sync-target.ts";
import { openTarget, type Target } from "../../target/target.ts";
import type { ImportAsked } from "./import-asked.ts";
import type { ImportRun } from "./import-run.ts";
import { saveMap } from "./map-file.ts";
import { createPace, type ShownPace } from "./pace.ts";
import { readSheet } from "./read-sheet.ts";
import { rowWords } from "./row-words.ts";
import { runImport } from "./run-import.ts";

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
      "--events none works only on a store: a server notifies its webhooks of every change.",
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
  const { makesEvents, settings } = asked;
  const { columns, constants, file, sheet } = await readSheet(context, rowKind, fileName, asked, pace);
  const target = toSyncTarget(await openTarget(context, settings, { isBulk: true, makesEvents }));
  try {
    const locationId = await findLocation(context, settings, target, asked.location);
    const cells = file.form === "csv" ? await openCells(target, { settings, sheet }, file, locationId) : null;
    const plain: RowReading = {
      cells,
      columns,
      constants,
      createsWithoutKey: asked.createsWithoutKey,
      file,
      guess: sheet.coordinates === undefined ? null : await openGuess(sheet.coordinates, target, locationId),
      key: asked.key,
      locationId,
      names: null,
      now: target.clock.now(),
      rowKind,
      words: rowWords,
    };
    const reading = await resolveNames(target, plain, pace);
    if (asked.saveMap !== null) saveMap(asked.saveMap, sheet, file, columns);
    const named = await readNames(reading, pace);
    const existing = await findExisting(target, rowKind, { ...named, key: asked.key, locationId, pace });
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
      tally: cells?.tally ?? createTally(),
      target,
      times: cells && { zone: cells.zone, today: cells.zone.dateOf(cells.now) },
    };
    return await runImport(context, run);
  } finally {
    pace.end();
    await target.close();
  }
}

async function resolveNames(target: SyncTarget, plain: RowReading, pace: ShownPace): Promise<RowReading> {
  const { cells, locationId, rowKind } = plain;
  if (rowKind.namedIds.length === 0) return plain;
  const found = await findNamed(target, draftRows(plain, pace), locationId, pace);
  return { ...plain, names: createResolver(found, cells, rowKind.noun === "jobs") };
}

async function openCells(
  target: SyncTarget,
  { settings, sheet }: Pick<ImportAsked, "settings" | "sheet">,
  { headers }: RowFile,
  locationId: number,
): Promise<CellReading> {
  const location = await target.client.call("locations.get", { params: { location_id: String(locationId) } });
  const zones = await readZones({ client: target.client, tenant: target.tenant }, settings.isUtc);
  const zone = zones.of(locationId);
  return {
    isExport: headers.includes("id"),
    now: target.clock.now(),
    order: sheet.date_order ?? dateOrderOf(zone),
    tally: createTally(),
    typeWords: toTypeWords(location),
    zone,
  };
}

/** A key is a text or integer field of the record itself. */
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
  throw failure("usage", `--key "${key}" cannot identify ${noun}; choose from ${names}.`);
}

/** The named location, the default one, or the only one. */
async function findLocation(
  context: CliContext,
  settings: Settings,
  { client }: Pick<Target, "client">,
  location: string | undefined,
): Promise<number> {
  const named = await readLocation(context, settings, { client }, { location });
  if (named !== null) return named;
  const resolving = { context, client, choose: null, tells: settings.form === "table" };
  const usual = await usualLocation(resolving, settings.location);
  if (usual === null) return refuseLocations(client);
  if (isId(kindOf("locations"), usual)) return Number(usual);
  throw failure("usage", `${settings.location.source} must name a location, not "${usual}".`);
}
