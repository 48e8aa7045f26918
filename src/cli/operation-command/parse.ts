import { accessOf, isDocument, type Operation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { type ApiVersion, newestVersion } from "../../models/api-versions.ts";
import { kindOfList } from "../../records/find-kind.ts";
import { checkOutputOptions } from "../common-options.ts";
import { type CliContext, canAsk, type OptionValues } from "../context.ts";
import { type Flag, optionKey } from "../input/flags.ts";
import { type CommandInput, findMissing, findTimes, type GivenTime, readInput } from "../input/input.ts";
import { readText } from "../input/read-text.ts";
import type { Scheduled } from "../lists/scheduled-jobs.ts";
import type { OwnRecord } from "../names/resolve-input.ts";
import type { OutputOptions } from "../output/options.ts";
import { toOutputOptions } from "../output/show.ts";
import { loadPresentation } from "../presentation/index.ts";
import type { Presentation, VerbPresentation } from "../presentation/presentation.ts";
import { readSettings, type Settings } from "../settings.ts";
import type { CommandOperations } from "./command-operations.ts";

/** What the parser of the command line made of the words. */
export interface GivenCommand {
  operations: CommandOperations;
  flags: readonly Flag[];
  /** The path parameter that the argument fills, and the words of that argument. */
  own: { param: string; words: readonly string[] } | null;
  options: OptionValues;
}

/** A command line understood: the operation that it calls, with what input, and how the answer is to be shown. */
export interface ParsedCommand {
  /** The one that is called: with --location that of the location. */
  operation: Operation;
  presentation: Presentation;
  shorthand: VerbPresentation | undefined;
  flags: readonly Flag[];
  input: CommandInput;
  /** The path parameter that the argument fills, the records that it names, and what was found out of them. */
  own: { param: string; ids: readonly string[]; records: ReadonlyMap<string, OwnRecord> } | null;
  /** The required options without a value. */
  missing: readonly Flag[];
  /** The times that options give, as they were typed; the input has them as they are until their zone is known. */
  times: readonly GivenTime[];
  /** Whether --from or --to ask for what is planned in a span; it is read when its zone is known. */
  hasSpan: boolean;
  /** That span; null until it is read. */
  scheduled: Scheduled | null;
  options: OptionValues;
  settings: Settings;
  version: ApiVersion;
  dryRun: boolean;
  /** null for an operation that answers with a file. */
  output: OutputOptions | null;
}

/**
 * Understands a command line before its target is opened. Throws a usage error for what cannot be, among it required
 * values that are missing where there is nobody to ask.
 */
export async function parseCommand(context: CliContext, given: GivenCommand): Promise<ParsedCommand> {
  const { operations, flags, options } = given;
  const { shorthand } = operations;
  const { operation, locationId } = chooseOperation(operations, options);
  const settings = readSettings(context, options);
  const version = settings.apiVersion.value ?? operation.lifetime?.until ?? newestVersion;
  checkOutputOptions(options);
  const output = isDocument(operation.output)
    ? null
    : await toOutputOptions(context, settings, operation, version, options);
  const own = given.own && {
    param: given.own.param,
    ids: await readIds(context, given.own.words, shorthand),
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
    accessOf(operation) === null ? missing.filter((flag) => isNotFound(flag, input)) : missing,
    options,
    flags,
  );
  const times = findTimes(flags, options);
  if (times.length > 0) (await import("./read-times.ts")).requireTimes(times);
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

/** The ids that the argument names. A shorthand takes several, each once; `-` stands for those on standard input. */
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
  if (ids.length === 0) throw failure("usage", "Standard input holds no id.");
  return [...new Set(ids)];
}

/** Ids with any white space between them, else a name on each line. */
function toWords(text: string): string[] {
  const separator = /^[\d\s]*$/.test(text) ? /\s+/ : /\s*\n\s*/;
  return text
    .trim()
    .split(separator)
    .filter((word) => word !== "");
}

/** The location, the customer of a part and the address of a customer may follow from records of the target. */
function isNotFound({ field, part }: Flag, { body }: CommandInput): boolean {
  if (part === "params") return field !== "location_id" && field !== "customer_id";
  return field !== "address_id" || (body?.requested_by ?? null) === null;
}

/** An entity tag is that of one record. */
function requireOne(own: ParsedCommand["own"], { etag, ifMatch }: OptionValues): void {
  if (own === null || own.ids.length <= 1 || (etag === undefined && ifMatch === undefined)) return;
  throw failure("usage", "--if-match and --etag are about one record; name one.");
}

/** Where there is nobody to ask, names all required values that are missing. */
export function requireComplete(
  context: CliContext,
  missing: readonly Flag[],
  options: OptionValues,
  flags: readonly Flag[],
): void {
  // Standard input that was read to its end for a value has no answers left.
  const isInputSpent =
    options.body === "-" || flags.some((flag) => flag.isSecret && options[optionKey(flag)] === "-");
  if (missing.length === 0 || (!isInputSpent && canAsk(context, options))) return;
  throw failure("usage", `Missing: ${missing.map(toMissing).join(", ")}.`);
}

/** By the word of people, and by the field where that is another: `--customer (--requested-by)`. */
const toMissing = ({ name, spokenName }: Flag) =>
  spokenName === null ? `--${name}` : `--${spokenName} (--${name})`;

/**
 * On a terminal, asks a list for what is still to be done, unless the command line says which states it wants (OP-238).
 * Gives how the answer is shown: its note says so.
 */
function keepOpen(
  name: string,
  { beginsOpen }: Presentation,
  options: OptionValues,
  query: Record<string, string>,
  output: OutputOptions | null,
): OutputOptions | null {
  if (!beginsOpen || !output?.isTerminal || output.form !== "table" || options.allStates === true)
    return output;
  if (beginsOpen.unless.some((parameter) => parameter in query)) return output;
  Object.assign(query, kindOfList(name)?.openQuery);
  return { ...output, remark: "still to be done; --all-states shows all" };
}

/**
 * Makes of a list's query what the command line means: adds what options such as --active stand for, and looks for a part of
 * a name, whatever form the answer has and wherever it comes from (OP-224). Throws a usage error for two options that
 * contradict each other.
 */
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

/** Whether a person is told in one line what the command did; who wants the record asks for it. */
export function isTold({ operation, options, output }: ParsedCommand): boolean {
  if (operation.effect !== "write" && operation.effect !== "delete") return false;
  if (output?.form !== "table" || output.fields !== null) return false;
  return !options.show && !options.allFields && !options.etag;
}
