import { failure, usageFailure } from "../../../errors/errors.ts";
import { nearestWord } from "../../../errors/nearest.ts";
import { synonymsOf, toPlainName } from "../../../sync/rows/column-synonyms.ts";
import { gatherEntries } from "../../../sync/rows/joined-entries.ts";
import { type Column, matchColumns, toColumnNames } from "../../../sync/rows/match-columns.ts";
import { leaveOutRepeats, readRows } from "../../../sync/rows/read-rows.ts";
import { cellsOf, type RowFile } from "../../../sync/rows/row-file.ts";
import type { RowField, RowKind } from "../../../sync/rows/row-kind.ts";
import { Stopped } from "../../../sync/target.ts";
import { type CliContext, isInteractive } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { untilInterrupted, watchInterruption } from "../../outcome/interruption.ts";
import { toVisible } from "../../output/text.ts";
import { type ImportOptions, type SheetMap, toSheetMap } from "./map-file.ts";
import type { ShownPace } from "./pace.ts";

export interface ReadSheet {
  file: RowFile;
  columns: Column[];
  constants: (readonly [RowField, string])[];
  /** The field that identifies the rows. */
  key: string;
  sheet: SheetMap;
}

/** On a terminal it asks about unclear columns. */
export async function readSheet(
  context: CliContext,
  rowKind: RowKind,
  fileName: string,
  options: ImportOptions & { key: string },
  pace: ShownPace,
): Promise<ReadSheet> {
  const { createWithoutKey, delimiter = null, encoding, ignoreUnknown, rawCsv, yes } = options;
  const sheet = toSheetMap(options);
  const questions = isInteractive(context) && !yes ? await openQuestions(context, rowKind) : null;
  const isColumn = toColumnNames(rowKind);
  const read = await readRows(fileName, readStdin(context), {
    confirmHeader: questions?.confirmHeader,
    delimiter,
    encoding,
    headerRow: sheet.header_row ?? null,
    isColumn,
    isRaw: rawCsv === true,
    pace,
    sheet: sheet.sheet ?? null,
  });
  pace.end();
  const whole = gatherEntries(read, rowKind);
  const mapped = new Map(Object.entries(sheet.columns ?? {}));
  const named = () => matchColumns(whole.headers, rowKind, { ignoresUnknown: true, mapped });
  const isByName = questions && !createWithoutKey && (await asksByName(questions, whole, options.key, named));
  const key = isByName ? "name" : options.key;
  const columns = await matchColumns(whole.headers, rowKind, {
    ignoresUnknown: ignoreUnknown === true,
    mapped,
    ask: questions ? (header, index, taken) => questions.askColumn(whole, header, index, taken) : undefined,
  });
  if (!createWithoutKey) requireKeyColumn(whole, columns, key);
  const file = leaveOutRepeats(whole, columns.findIndex(isOf(key)));
  const answered = isByName ? { ...sheet, key } : sheet;
  const told = questions && file.form === "csv" ? await askMissing(questions, columns, answered) : answered;
  const constants = Object.entries(told.set ?? {}).map(([name, text]) => toConstant(rowKind, name, text));
  return { columns, constants, file, key, sheet: told };
}

/** Asks whether to match by name where rows have a name, and nothing else identifies them. */
async function asksByName(
  questions: SheetQuestions,
  { form }: RowFile,
  key: string,
  readColumns: () => Promise<readonly Column[]>,
): Promise<boolean> {
  if (form !== "csv") return false;
  const columns = await readColumns();
  const hasKey = columns.some(isOf(key)) || columns.includes("id") || columns.includes("locations");
  return !hasKey && columns.some(isOf("name")) && questions.askByName(key);
}

/** Asks for required parts of new addresses that no column has. */
async function askMissing(
  questions: SheetQuestions,
  columns: readonly Column[],
  sheet: SheetMap,
): Promise<SheetMap> {
  const fields = columns.filter((column) => typeof column === "object" && column !== null);
  const has = (name: string) =>
    sheet.set?.[name] !== undefined || fields.some((field) => field.name === name);
  // An address without a first line cannot be new.
  if (!fields.some(({ group, inner }) => group === "address" && inner === "line_1")) return sheet;
  const country = has("country") ? null : await questions.askCountry();
  const isPlaced = sheet.coordinates !== undefined || has("latitude") || has("longitude");
  const coordinates = isPlaced ? null : await questions.askCoordinates();
  return {
    ...sheet,
    ...(country !== null && { set: { ...sheet.set, country } }),
    ...(coordinates !== null && { coordinates }),
  };
}

function toConstant({ fields, noun }: RowKind, name: string, text: string): readonly [RowField, string] {
  const field = fields.find((known) => known.name === name);
  if (field) return [field, text];
  const names = fields.map((known) => known.name);
  const nearest = nearestWord(name, names);
  const hint = nearest ? `; did you mean ${nearest}?` : `, but ${names.join(", ")}.`;
  throw failure("usage", `--set ${name}=${text}: ${noun} have no field ${name}${hint}`);
}

const isOf = (key: string) => (column: Column | undefined) =>
  typeof column === "object" && column !== null
    ? column.group === "record" && column.inner === key
    : column === key;

/** A later import needs the key to find the rows. An exported file may have ids instead. */
function requireKeyColumn({ headers, name }: RowFile, columns: readonly Column[], key: string): void {
  const isKnown = columns.some(isOf(key)) || columns.includes("id") || columns.includes("locations");
  if (headers.length === 0 || isKnown) return;
  const detail = `The file has no column for ${key}, which identifies the rows of ${name}.`;
  const others =
    "If the column has another title, use --map. Else match by another field with --key, or pass --create-without-key.";
  throw usageFailure(
    detail,
    columns.some(isOf("name")) ? `Add \`--key name\` to match by name. ${others}` : others,
  );
}

/** An interruption ends it with `Stopped`. */
async function* readStdin(context: CliContext): AsyncGenerator<Buffer | string> {
  try {
    yield* untilInterrupted(watchInterruption(context), chunksOf(context.stdin));
  } catch (error) {
    if (!(error instanceof AlreadyShown)) throw error;
    context.stdin.destroy();
    throw new Stopped();
  }
}

async function* chunksOf(stream: NodeJS.ReadableStream): AsyncGenerator<Buffer | string> {
  yield* stream;
}

type SheetQuestions = Awaited<ReturnType<typeof openQuestions>>;

/** Opens the questions about a sheet on a terminal. They ask about each column once; null means none of the choices. */
async function openQuestions(context: CliContext, { fields, noun }: RowKind) {
  const synonyms = synonymsOf(noun);
  const { openPrompt } = await import("../../prompts/open-prompt.ts");
  const prompt = openPrompt(context);
  return {
    async confirmHeader(line: number, cells: readonly string[]) {
      const shown = toVisible(cells.slice(0, 4).join(", "));
      const message = `Line ${line} looks like the header (${shown} …). Skip the lines above it?`;
      return prompt.confirm({ message, default: true });
    },
    async askByName(key: string): Promise<boolean> {
      const message = `No column has the ${key.replaceAll("_", " ")}. Match the ${noun} by name?`;
      return prompt.confirm({ message, default: true });
    },
    async askColumn(file: RowFile, header: string, index: number, taken: ReadonlySet<string>) {
      const free = fields.map(({ name }) => name).filter((name) => !taken.has(name));
      const nearest = nearestWord(header, free);
      const names = [...(nearest ? [nearest] : []), ...free.filter((name) => name !== nearest)];
      const leaveOut = { name: "leave it out", value: "" };
      const choices = [leaveOut, ...names.map((name) => ({ name, value: name }))];
      const examples = firstValues(file, index);
      const value = await prompt.search({
        message: toVisible(
          `Column "${header}"${examples === "" ? "" : ` (${examples})`}: which field is it?`,
        ),
        source: (term) =>
          choices.filter(({ name }) => {
            const typed = toPlainName(term ?? "");
            return [name, ...(synonyms[name] ?? [])].some((word) => toPlainName(word).includes(typed));
          }),
        pageSize: 9,
      });
      return value === "" ? null : value;
    },
    async askCountry() {
      const message = "No column has the country. Country code for all rows, like US (Enter: none):";
      const country = await prompt.input({ message });
      return country.trim() === "" ? null : country.trim();
    },
    async askCoordinates() {
      const source = await prompt.select({
        message: "No column has coordinates. Which coordinates do new addresses get?",
        choices: [
          { name: "the center of the ZIP code (US)", value: "zip" },
          { name: "the coordinates of the location", value: "location" },
          { name: "none: new addresses without coordinates are rejected", value: "" },
        ],
      });
      return source === "" ? null : source;
    },
  };
}

/** The first values, so that the user recognizes the column. */
function firstValues(file: RowFile, index: number): string {
  const values = file.rows.slice(0, 50).map((row) => cellsOf(file, row)[index]);
  const texts = new Set(
    values.filter((value) => value !== undefined).map((value) => String(value).slice(0, 24)),
  );
  return [...texts].slice(0, 3).join(", ");
}
