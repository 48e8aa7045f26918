import type { Operation } from "../../core/operation.ts";
import { answersRecord, showsOne } from "../../core/precondition.ts";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { AnswerModel } from "../../models/model.ts";
import { fieldPathsOf } from "../../models/versions/field-paths.ts";
import { findKindOfOperation, kindOfField } from "../../records/find-kind.ts";
import { type CliContext, type OptionValues, showsColour, sizeOf } from "../context.ts";
import { loadPresentation } from "../presentation/index.ts";
import type { Cells } from "../presentation/presentation.ts";
import { type JsonValue, toRecords } from "./answer.ts";
import { parseFields } from "./fields.ts";
import { packLines } from "./fit-text.ts";
import { formatAnswer } from "./format.ts";
import type { OutputOptions, OutputSettings } from "./options.ts";
import { openOut } from "./pager.ts";
import { tell } from "./tell.ts";

/** How an operation's answers are shown; made before the operation runs, so that a wrong --fields changes nothing. */
export async function toOutputOptions(
  context: CliContext,
  settings: OutputSettings,
  operation: Operation,
  version: ApiVersion,
  { allFields, quiet, rawCsv }: OptionValues,
): Promise<OutputOptions> {
  const form = quiet === true ? "ids" : settings.form;
  const knownFields = fieldPathsOf(operation.output as AnswerModel, version);
  const { card, cells: own = {}, columns = [], learns, tones = {} } = await loadPresentation(operation.name);
  const { cells: ofNames, nameFields } = toNameCells(knownFields);
  const cells = { ...ofNames, ...(await loadListedCells(operation)), ...own };
  return {
    form,
    // What a table shows can be chosen in every form, also where it is no field.
    fields:
      settings.fields === null ? null : parseFields(settings.fields, [...knownFields, ...Object.keys(cells)]),
    knownFields,
    columns,
    cells,
    nameFields,
    ...(card && { card }),
    ...(learns && { learns }),
    hasAllFields: allFields === true,
    tones,
    rawCsv: rawCsv === true,
    ...toScreenOptions(context, settings),
  };
}

/** What the table of a kind shows can be chosen of one record too. */
async function loadListedCells(operation: Operation): Promise<Cells> {
  const { create, list } = findKindOfOperation(operation.name) ?? {};
  if (list === undefined || !(showsOne(operation) || answersRecord(operation) || create === operation.name))
    return {};
  return (await loadPresentation(list)).cells ?? {};
}

/** What the terminal, or the lack of one, asks of any output. */
export function toScreenOptions(context: CliContext, settings: Pick<OutputSettings, "noColour">) {
  return {
    isTerminal: Boolean(context.stdout.isTTY),
    width: sizeOf(context.stdout).columns,
    colour: showsColour(context.stdout, context.env, settings.noColour),
  };
}

/** Prints a JSON answer: data to stdout, what is said about it to stderr. */
export async function showAnswer(
  context: CliContext,
  text: string,
  options: OutputOptions,
  hasPager: boolean,
): Promise<void> {
  const value: JsonValue = JSON.parse(text);
  const { stdout, note } = await formatAnswer({ value, text }, options);
  const { isList } = toRecords(value);
  // A record by itself is read from its top.
  const out = openOut(context, options, hasPager && isList);
  await out.write(stdout);
  await out.end();
  if (note !== null)
    for (const line of packLines(note.split(" · "), " · ", options.width)) tell(context.stderr, line);
}

/**
 * The cells that tell the records which fields name: `truck` of truck_id, `completed_by` of itself. `nameFields` says which
 * field each tells.
 */
function toNameCells(knownFields: readonly string[]): {
  cells: Cells;
  nameFields: Record<string, string>;
} {
  const fields = knownFields.filter((field) => !field.includes(".") && kindOfField(field)?.knownBy);
  const nameFields = Object.fromEntries(fields.map((field) => [field.replace(/_id$/, ""), field]));
  const cells = Object.entries(nameFields).map(([name, field]): [string, Cells[string]] => [
    name,
    (record, view) => view.nameIn(record, field) ?? "",
  ]);
  return { cells: Object.fromEntries(cells), nameFields };
}

/** Shows records that no operation answers, in any form: a table of all their fields, or what --output asks for. */
export async function showRecords(
  context: CliContext,
  settings: OutputSettings,
  records: readonly Readonly<Record<string, JsonValue>>[],
): Promise<void> {
  const value = records.map((record) => ({ ...record }));
  const known = Object.keys(value[0] ?? {});
  const options = { form: settings.form, fields: null, knownFields: known, columns: known };
  const { stdout, note } = await formatAnswer(
    { value, text: JSON.stringify(value) },
    { ...options, ...toScreenOptions(context, settings) },
  );
  context.stdout.write(stdout);
  if (note !== null) tell(context.stderr, note);
}
