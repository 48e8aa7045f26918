import type { Scheduled } from "../../board/scheduled-jobs.ts";
import { accessOf, isDocument, type Operation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { type ApiVersion, newestVersion } from "../../models/api-versions.ts";
import { kindOfList } from "../../records/find-kind.ts";
import { checkOutputOptions } from "../common-options.ts";
import { type CliContext, canAsk, type OptionValues } from "../context.ts";
import { type Flag, optionKey } from "../input/flags.ts";
import { type CommandInput, findMissing, findTimes, type GivenTime, readInput } from "../input/input.ts";
import { readText } from "../input/read-text.ts";
import type { NewCustomer } from "../names/add-new-customer.ts";
import type { OwnRecord } from "../names/resolve-input.ts";
import type { OutputOptions } from "../output/options.ts";
import { toOutputOptions } from "../output/show.ts";
import { loadPresentation } from "../presentation/index.ts";
import type { Presentation, VerbPresentation } from "../presentation/presentation.ts";
import { readSettings, type Settings } from "../settings.ts";
import type { CommandOperations } from "./command-operations.ts";

export interface GivenCommand {
  operations: CommandOperations;
  flags: readonly Flag[];
  /** `param` is the path parameter of the argument. */
  own: { param: string; words: readonly string[] } | null;
  options: OptionValues;
}

export interface ParsedCommand {
  /** With --location, the list of the location. */
  operation: Operation;
  presentation: Presentation;
  shorthand: VerbPresentation | undefined;
  flags: readonly Flag[];
  input: CommandInput;
  own: { param: string; ids: readonly string[]; records: ReadonlyMap<string, OwnRecord> } | null;
  missing: readonly Flag[];
  /** The new customer of a new job; the command creates it last. */
  caller: NewCustomer | null;
  /** The times as typed; the input keeps them until their zone is known. */
  times: readonly GivenTime[];
  /** --from or --to is given. `scheduled` follows when the zone is known. */
  hasSpan: boolean;
  scheduled: Scheduled | null;
  options: OptionValues;
  settings: Settings;
  version: ApiVersion;
  dryRun: boolean;
  /** null for an operation that returns a file. */
  output: OutputOptions | null;
}

/** Runs before the target is opened. Throws a usage error. */
export async function parseCommand(context: CliContext, line: GivenCommand): Promise<ParsedCommand> {
  const { operations, flags, options } = line;
  const { shorthand } = operations;
  const { operation, locationId } = chooseOperation(operations, options);
  const settings = readSettings(context, options);
  const version = settings.apiVersion.value ?? operation.lifetime?.until ?? newestVersion;
  checkOutputOptions(options);
  const output = isDocument(operation.output)
    ? null
    : await toOutputOptions(context, settings, operation, version, options);
  const own = line.own && {
    param: line.own.param,
    ids: await readIds(context, line.own.words, shorthand),
    records: new Map(),
  };
  const ownId = own && { name: own.param, value: own.ids.join(", ") };
  requireOne(own, options);
  const input = await readInput(context, operation, flags, ownId, options);
  fillQuery(operations.presentation, options, input.query);
  if (locationId !== null) input.params.location_id = locationId;
  if (shorthand) input.body = { ...input.body, ...shorthand.body };
  const missing = findMissing(flags, input);
  requireComplete(
    context,
    accessOf(operation) === null ? missing.filter((flag) => isNotFound(flag, input, options)) : missing,
    options,
    flags,
  );
  const given = findTimes(flags, options);
  const times = given.length === 0 ? given : (await import("./read-times.ts")).requireTimes(given, flags);
  const hasSpan = operations.presentation.spans === true && (options.from ?? options.to) !== undefined;
  if (hasSpan) (await import("./read-span.ts")).requireSpan(options);
  const dryRun = options.dryRun === true;
  const presentation = await loadPresentation(operation.name);
  const shown = keepOpen(operation.name, presentation, options, input.query, output);
  const about = { operation, presentation, shorthand, flags };
  return {
    ...about,
    input,
    own,
    missing,
    caller: null,
    times,
    hasSpan,
    scheduled: null,
    options,
    settings,
    version,
    dryRun,
    output: shown,
  };
}

function chooseOperation({ operation, atLocation }: CommandOperations, { location }: OptionValues) {
  return atLocation !== null && typeof location === "string"
    ? { operation: atLocation, locationId: location }
    : { operation, locationId: null };
}

/** A shorthand accepts several IDs; `-` is standard input. */
async function readIds(
  context: CliContext,
  words: readonly string[],
  shorthand: VerbPresentation | undefined,
): Promise<readonly string[]> {
  if (!shorthand) return words;
  const ids: string[] = [];
  for (const word of words) {
    if (word === "-") ids.push(...toWords(await readText(context, "-")));
    else ids.push(word);
  }
  if (ids.length === 0) throw failure("usage", "Standard input has no ID.");
  return [...new Set(ids)];
}

/** IDs separated by white space, or one name per line. */
function toWords(text: string): string[] {
  const separator = /^[\d\s]*$/.test(text) ? /\s+/ : /\s*\n\s*/;
  return text
    .trim()
    .split(separator)
    .filter((word) => word !== "");
}

/** Whether no record can provide the value. A named record can provide its location, its customer, and its address. */
function isNotFound({ field, part }: Flag, { body }: CommandInput, { newCustomer }: OptionValues): boolean {
  if (newCustomer !== undefined && (field === "requested_by" || field === "type")) return false;
  if (part === "params") return field !== "location_id" && field !== "customer_id";
  return field !== "address_id" || (body?.requested_by ?? null) === null;
}

/** An entity tag belongs to one record. */
function requireOne(own: ParsedCommand["own"], { etag, ifMatch }: OptionValues): void {
  if (own === null || own.ids.length <= 1 || (etag === undefined && ifMatch === undefined)) return;
  throw failure("usage", "--if-match and --etag work on a single record; name one.");
}

/** Throws for all missing values if the program cannot prompt. */
export function requireComplete(
  context: CliContext,
  missing: readonly Flag[],
  options: OptionValues,
  flags: readonly Flag[],
): void {
  // Standard input that provided a value cannot provide answers.
  const isInputSpent =
    options.body === "-" || flags.some((flag) => flag.isSecret && options[optionKey(flag)] === "-");
  if (missing.length === 0 || (!isInputSpent && canAsk(context, options))) return;
  throw failure("usage", `Missing: ${missing.map(toMissing).join(", ")}.`);
}

/** The common word, and a different field: `--customer (--requested-by)`. */
const toMissing = ({ name, spokenName }: Flag) =>
  spokenName === null ? `--${name}` : `--${spokenName} (--${name})`;

/** In a table or as IDs, a list shows open records unless the user chooses states. A note says so. */
function keepOpen(
  name: string,
  { beginsOpen }: Presentation,
  options: OptionValues,
  query: Record<string, string>,
  output: OutputOptions | null,
): OutputOptions | null {
  const isForPeople = output?.form === "table" || output?.form === "ids";
  if (!beginsOpen || output === null || !isForPeople || options.allStates === true) return output;
  if (beginsOpen.unless.some((parameter) => parameter in query)) return output;
  Object.assign(query, kindOfList(name)?.openQuery);
  return { ...output, remark: "open jobs only; --all-states shows all" };
}

/** Adds filters of options such as --active, and lets names match parts. Throws a usage error for a contradiction. */
export function fillQuery(
  { partly, shorthands = {} }: Presentation,
  options: OptionValues,
  query: Record<string, string>,
): void {
  const words = partly === undefined ? undefined : query[partly];
  if (partly !== undefined && words && options.exact !== true && !words.includes("*"))
    query[partly] = `*${words}*`;
  for (const [name, shorthand] of Object.entries(shorthands)) {
    if (options[name] !== true) continue;
    for (const [field, value] of Object.entries(shorthand.query)) {
      const other = query[field];
      if (other !== undefined && other !== value) {
        throw failure(
          "usage",
          `--${name} means ${field} ${value}, and another option says ${field} ${other}.`,
        );
      }
      query[field] = value;
    }
  }
}

/** Whether a person gets one line about the change instead of the record. */
export function isTold({ operation, options, output }: ParsedCommand): boolean {
  if (operation.effect !== "write" && operation.effect !== "delete") return false;
  if (output?.form !== "table" || output.fields !== null) return false;
  return !options.show && !options.allFields && !options.etag;
}
