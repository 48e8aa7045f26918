import { existsSync } from "node:fs";
import { extname } from "node:path";
import { Command } from "commander";
import type { Scheduled } from "../../../board/scheduled-jobs.ts";
import { type Client, untyped, type WalkedPage } from "../../../client/client.ts";
import { SeenIds } from "../../../client/seen-ids.ts";
import type { UntypedRequest } from "../../../client/untyped.ts";
import { placeParameter } from "../../../core/listing.ts";
import type { Operation } from "../../../core/operation.ts";
import { DispatchError, failure } from "../../../errors/errors.ts";
import { type ApiVersion, newestVersion } from "../../../models/api-versions.ts";
import { viewableRecordsMax } from "../../../models/page-limits.ts";
import { loadOperation, type OperationName, operationNames } from "../../../operations/index.ts";
import { kindOfList } from "../../../records/find-kind.ts";
import type { RecordKind } from "../../../records/record-kind.ts";
import { kindOf, type Noun } from "../../../records/record-kinds.ts";
import { isStream } from "../../../runtime/private-file.ts";
import { walkEverywhere } from "../../../sync/walk-list.ts";
import { addExportOptions, addSpanOptions, addTargetOptions } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { FailedCommand } from "../../input/failed-command.ts";
import { type Flag, toFlags, toInputOptions } from "../../input/flags.ts";
import { type CommandInput, findMissing, findTimes, readInput } from "../../input/input.ts";
import { withView } from "../../operation-command/add-view.ts";
import { fillQuery } from "../../operation-command/parse.ts";
import type { TimedCommand } from "../../operation-command/read-times.ts";
import { parseFields } from "../../output/fields.ts";
import { toColumns } from "../../output/format.ts";
import type { OutputForm, OutputOptions } from "../../output/options.ts";
import { toOutputOptions } from "../../output/show.ts";
import { tell } from "../../output/tell.ts";
import { loadPresentation } from "../../presentation/index.ts";
import type { Presentation } from "../../presentation/presentation.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { openTarget, type Target } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";
import type { AddressSheet } from "./address-rows.ts";
import { type Exported, type ExportSource, exportToFile, exportToStream } from "./export-records.ts";

export async function exportCommand(
  context: CliContext,
  isVerbNeeded: (verb: string) => boolean,
): Promise<Command> {
  const command = new Command("export")
    .description("Write all records of a kind as ndjson, csv, json, or xlsx, each once.")
    .helpCommand(false);
  for (const name of operationNames) {
    const kind = kindOfList(name);
    if (kind?.list !== name) continue;
    const verb = isVerbNeeded(kind.noun) ? await toNounCommand(context, kind, name) : new Command(kind.noun);
    command.addCommand(verb.summary(`write ${toWords(kind.noun)}`));
  }
  const { exportAllCommand } = await import("./export-all.ts");
  command.addCommand(exportAllCommand(context).summary("write all records of the tenant, for `import all`"));
  return command;
}

const toWords = (noun: string) => noun.replaceAll("-", " ");

async function toNounCommand(
  context: CliContext,
  { listAtLocation, noun }: RecordKind,
  name: OperationName,
): Promise<Command> {
  const general = await loadOperation(name);
  const atLocation = listAtLocation ? await loadOperation(listAtLocation) : null;
  const flags = toFlags(general)
    .filter(({ field }) => !/^page_|^order$/.test(field))
    .map((flag) => (flag.field === "location_id" && flag.isRequired ? everywhere(flag) : flag));
  const command = defineBuiltin(noun, "read").description(
    `Write all ${toWords(noun)} that match the filters as CSV, NDJSON, JSON, or XLSX. The file gets its name when it is complete.`,
  );
  command.optionsGroup("Input:");
  const presentation = await loadPresentation(name);
  for (const option of toInputOptions(flags, presentation)) command.addOption(option);
  if (presentation.spans) addSpanOptions(command);
  if (atLocation) command.option("--location <name>", "only records of this location");
  addExportOptions(addTargetOptions(command));
  command.addHelpText(
    "after",
    `\nExample:\n  dispatch-cli export ${noun}${toExample(flags, presentation.example)} --out ${noun}.csv`,
  );
  return command.action(async () => {
    const options = command.opts();
    await runExport(context, noun, { general, atLocation }, flags, options).catch((error: unknown) => {
      throw error instanceof DispatchError ? new FailedCommand(error, flags) : error;
    });
  });
}

/** Default: all locations. */
function everywhere(flag: Flag): Flag {
  return { ...flag, isRequired: false, description: "only records of this location" };
}

function toExample(flags: readonly Flag[], ofList = ""): string {
  const exampleOf = (name: string) => new RegExp(` --${name} (\\S+)`).exec(ofList)?.[1] ?? "1";
  return flags.map(({ isRequired, name }) => (isRequired ? ` --${name} ${exampleOf(name)}` : "")).join("");
}

async function runExport(
  context: CliContext,
  noun: string,
  { general, atLocation }: { general: Operation; atLocation: Operation | null },
  flags: readonly Flag[],
  options: OptionValues,
): Promise<void> {
  const operation = atLocation && options.location !== undefined ? atLocation : general;
  const file = typeof options.out === "string" && options.out !== "-" ? options.out : null;
  if (options.resume === true && file === null) throw failure("usage", "--resume needs the --out file.");
  const settings = { ...readSettings(context, options), form: chooseForm(context, options, file) };
  const version = settings.apiVersion.value ?? newestVersion;
  const sheet = await openAddressSheet(noun, settings, operation, version);
  const output = await toOutput(context, settings, operation, version, options, file !== null, sheet);
  const input = await readInput(context, operation, flags, null, options);
  if (options.location !== undefined) input.params.location_id = String(options.location);
  const presentation = await loadPresentation(general.name);
  fillQuery(presentation, options, input.query);
  requireFilters(flags, input);
  const { readTimes, requireTimes } = await import("../../operation-command/read-times.ts");
  const times = requireTimes(findTimes(flags, options), flags);
  const hasSpan = await givesSpan(presentation, options);
  const target = await openTarget(context, settings, { anyTenant: operation.allow === "token" });
  try {
    const { resolveFilters } = await import("../../names/resolve-filters.ts");
    await resolveFilters(context, settings, target, { flags, input, operation });
    const about = { flags, hasSpan, input, operation, options, presentation, settings, times, version };
    const given: TimedCommand = { ...about, scheduled: null };
    const { input: wanted, scheduled } = await readTimes(context, given, target);
    const inWords = await withView(output, target, settings, null);
    const facts = { noun: toWords(noun), output: inWords };
    const asWritten = await toSource(target, operation, { input: wanted, scheduled, version }, facts);
    const source = addRows(asWritten, sheet);
    if (file === null || isStream(file)) return await exportToStream(context, source, file ?? "-");
    if (existsSync(file)) await requireYes(context, `${file} is there already. Replace it?`, options);
    const place = [target.name, target.tenant.id, operation.name, version, wanted, scheduled?.span ?? null];
    const { fields, form, rawCsv } = output;
    const asked = JSON.stringify([...place, { form, fields, rawCsv }]);
    const resumes = options.resume === true;
    const { bytes, count } = await writeFile(context, source, target, settings, { file, asked, resumes });
    const what = count === 1 ? kindOf(noun as Noun).label : toWords(noun);
    tell(context.stderr, `${count} ${what} written to ${file} (${bytes} bytes).`);
  } finally {
    await target.close();
  }
}

function requireFilters(flags: readonly Flag[], input: CommandInput): void {
  const missing = findMissing(flags, input);
  if (missing.length > 0)
    throw failure("usage", `Missing: ${missing.map(({ name }) => `--${name}`).join(", ")}.`);
}

async function givesSpan({ spans }: Presentation, options: OptionValues): Promise<boolean> {
  if (spans !== true || (options.from ?? options.to) === undefined) return false;
  (await import("../../operation-command/read-span.ts")).requireSpan(options);
  return true;
}

async function writeFile(
  context: CliContext,
  source: ExportSource,
  target: Target,
  { isUtc }: Settings,
  destination: { file: string; asked: string; resumes: boolean },
): Promise<Exported> {
  const { file, resumes } = destination;
  if (extname(file).toLowerCase() !== ".xlsx") return exportToFile(context, source, destination);
  if (resumes) throw failure("usage", "--resume works for text only; a workbook is written at once.");
  const { readZones } = await import("../../../board/read-zones.ts");
  const { exportToWorkbook } = await import("./export-workbook.ts");
  return exportToWorkbook(context, source, file, await readZones(target, isUtc));
}

const exportForms = ["csv", "ndjson", "json"] as const;

/** --output, else the file name's ending. Default: ndjson. */
function chooseForm(context: CliContext, { output }: OptionValues, file: string | null): OutputForm {
  const ending = file === null ? "" : extname(file).slice(1).toLowerCase();
  const byName = ending === "jsonl" ? "ndjson" : exportForms.find((form) => form === ending);
  if (ending === "xlsx" && (output === undefined || output === "csv")) return "csv";
  if (ending !== "" && byName === undefined && output === undefined && file !== null && !isStream(file))
    throw failure(
      "usage",
      `--out must end in .xlsx, .${exportForms.join(", .")} or .jsonl, not .${ending}; or choose the format with --output.`,
    );
  const set = context.env.DISPATCH_OUTPUT;
  const byEnvironment = exportForms.find((form) => form === set);
  if (output === undefined) return byName ?? byEnvironment ?? "ndjson";
  const form = exportForms.find((known) => known === output);
  if (form) return form;
  throw failure("usage", `--output must be one of ${exportForms.join(", ")}, not "${String(output)}".`);
}

async function toOutput(
  context: CliContext,
  settings: Settings,
  operation: Operation,
  version: ApiVersion,
  options: OptionValues,
  isFile: boolean,
  sheet: AddressSheet | null,
): Promise<OutputOptions> {
  const unnamed = sheet ? { ...settings, fields: null } : settings;
  const whole = await toOutputOptions(context, unnamed, operation, version, options);
  const fields =
    sheet && settings.fields !== null ? parseFields(settings.fields, sheet.fields) : whole.fields;
  const output = sheet ? { ...whole, fields, knownFields: sheet.fields } : whole;
  return isFile ? { ...output, isTerminal: false, color: false } : output;
}

/** Customers in CSV, unless the columns name whole lists. */
async function openAddressSheet(
  noun: string,
  { fields, form }: Settings,
  operation: Operation,
  version: ApiVersion,
): Promise<AddressSheet | null> {
  if (noun !== "customers" || form !== "csv" || /\b(?:addresses|contacts)\b/.test(fields ?? "")) return null;
  const { toAddressSheet } = await import("./address-rows.ts");
  return toAddressSheet(operation, version);
}

function addRows(source: ExportSource, sheet: AddressSheet | null): ExportSource {
  if (sheet === null) return source;
  const { columns } = toColumns(source.output);
  return { ...source, toRows: (record) => sheet.toRows(record, columns) };
}

async function toSource(
  { client, store }: Target,
  operation: Operation,
  { input, scheduled, version }: { input: CommandInput; scheduled: Scheduled | null; version: ApiVersion },
  facts: Pick<ExportSource, "noun" | "output">,
): Promise<ExportSource> {
  const { params, query } = input;
  if ("location_id" in operation.params && params.location_id === undefined) {
    const pages = () => walkEveryLocation(client, operation, { params, query, version });
    return { ...facts, total: null, pages };
  }
  if (scheduled) {
    const { walkScheduled } = await import("../../../board/scheduled-jobs.ts");
    const request = { ...scheduled, params, query, version };
    return {
      ...facts,
      total: null,
      pages: (after) => walkScheduled(client, operation, { ...request, after }),
    };
  }
  const first = { params, query: { ...query, page_limit: 1 }, version };
  const counted = Number(Object(await untyped(client).call(operation.name, first)).total_count);
  return {
    ...facts,
    total: counted < viewableRecordsMax ? counted : null,
    pages: (after) => {
      const by = placeParameter(operation);
      const asked = {
        ...query,
        ...(store === null && pageAhead),
        ...(by && after !== null && { [by]: after }),
      };
      const pages = untyped(client).walk(operation.name, { params, query: asked, version });
      // A server builds the next page while this process writes. For a local store, that would hold two pages in
      // memory.
      return store === null ? readAhead(pages) : pages;
    },
  };
}

/** Reads location by location. Such a list is short, so the export cannot be resumed. */
async function* walkEveryLocation(
  client: Client,
  operation: Operation,
  request: UntypedRequest,
): AsyncGenerator<WalkedPage> {
  // A user without a location is in every list.
  const seen = new SeenIds();
  for await (const page of walkEverywhere(client, operation.name, request))
    yield { after: null, records: page.records.filter(({ id }) => seen.add(id)) };
}

/** Two pages are in memory at once. */
const pageAhead = { page_limit: 100 };

/** Requests the next page while the caller handles one. */
async function* readAhead(pages: AsyncGenerator<WalkedPage>): AsyncGenerator<WalkedPage> {
  let next = pages.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = pages.next();
      // The caller may leave the loop before it learns of a failure.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    void pages.return(undefined).catch(() => undefined);
  }
}
