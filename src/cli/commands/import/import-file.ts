import { readZones } from "../../../board/read-zones.ts";
import { exitCodes, failure } from "../../../errors/errors.ts";
import { dateOrderOf } from "../../../local-time/date-order.ts";
import { fieldKinds } from "../../../models/fields.ts";
import { unwrap } from "../../../models/parse.ts";
import { isId } from "../../../records/is-id.ts";
import { kindOf } from "../../../records/record-kinds.ts";
import { openGuess } from "../../../sync/rows/guess-coordinates.ts";
import { planRows } from "../../../sync/rows/plan-rows.ts";
import type { CellReading } from "../../../sync/rows/read-cell.ts";
import { createTally } from "../../../sync/rows/read-cell.ts";
import type { RowFile } from "../../../sync/rows/row-file.ts";
import type { RowKind } from "../../../sync/rows/row-kind.ts";
import type { RowReading } from "../../../sync/rows/to-draft.ts";
import { toTypeWords } from "../../../sync/rows/type-words.ts";
import { Stopped } from "../../../sync/target.ts";
import type { CliContext } from "../../context.ts";
import { refuseLocations, usualLocation } from "../../names/follow-records.ts";
import { readLocation } from "../../names/read-location.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { tell } from "../../output/tell.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { openTarget, type Target } from "../../target/target.ts";
import { type ImportOptions, type SheetMap, saveMap, toSheetMap } from "./map-file.ts";
import { createPace, type ShownPace } from "./pace.ts";
import { readSheet } from "./read-sheet.ts";
import { runImport } from "./run-import.ts";

/** Imports a file, or shows the plan. Throws AlreadyShown for rejected rows. */
export async function importFile(
  context: CliContext,
  rowKind: RowKind,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const settings = readSettings(context, { ...options });
  if (options.events === "none" && settings.url.value !== null)
    throw failure(
      "usage",
      "--events none works only on a store: a server notifies its webhooks of every change.",
    );
  if (file === "-" && settings.tokenFile.value === "-")
    throw failure("usage", "Standard input (-) can be the file or the token, not both.");
  const { key: chosen } = toSheetMap(options);
  const key = chosen === undefined ? rowKind.key : checkKey(rowKind, chosen);
  const pace = createPace(context);
  try {
    await importRows(context, rowKind, { file, pace, settings, options: { ...options, key } });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    pace.end();
    tell(context.stderr, "Stopped before anything was changed.");
    throw new AlreadyShown(exitCodes.interrupted);
  } finally {
    pace.end();
  }
}

interface Asked {
  file: string;
  options: ImportOptions & { key: string };
  pace: ShownPace;
  settings: Settings;
}

async function importRows(
  context: CliContext,
  rowKind: RowKind,
  { file: fileName, options, pace, settings }: Asked,
): Promise<void> {
  const { columns, constants, file, key, sheet } = await readSheet(context, rowKind, fileName, options, pace);
  const makesEvents = options.events !== "none";
  const target = await openTarget(context, settings, { isBulk: true, makesEvents });
  try {
    const locationId = await findLocation(context, settings, target, options.location);
    const isText = file.form === "csv";
    const cells = isText ? await openCells(target, settings, sheet, file, locationId) : null;
    if (options.saveMap !== undefined) saveMap(options.saveMap, sheet, file, columns);
    const reading: RowReading = {
      cells,
      columns,
      constants,
      createsWithoutKey: options.createWithoutKey === true,
      file,
      guess: sheet.coordinates === undefined ? null : await openGuess(sheet.coordinates, target, locationId),
      key,
      locationId,
      now: target.clock.now(),
      rowKind,
    };
    const rows = await planRows(target, reading, pace);
    pace.end();
    await runImport(context, { fileName, options, pace, reading, rows, settings, target });
  } finally {
    pace.end();
    await target.close();
  }
}

async function openCells(
  target: Target,
  { isUtc }: Settings,
  sheet: SheetMap,
  { headers }: RowFile,
  locationId: number,
): Promise<CellReading> {
  const location = await target.client.call("locations.get", { params: { location_id: String(locationId) } });
  const zones = await readZones({ client: target.client, tenant: target.tenant }, isUtc);
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
