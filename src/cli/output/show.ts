import type { Operation } from "../../core/operation.ts";
import { answersRecord, showsOne } from "../../core/precondition.ts";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { AnswerModel } from "../../models/model.ts";
import { fieldPathsOf } from "../../models/versions/field-paths.ts";
import { findKindOfOperation, kindOfField } from "../../records/find-kind.ts";
import { type CliContext, type OptionValues, showsColor, sizeOf } from "../context.ts";
import { loadPresentation } from "../presentation/index.ts";
import type { Cells } from "../presentation/presentation.ts";
import { type JsonValue, toRecords } from "./answer.ts";
import { parseFields } from "./fields.ts";
import { packLines } from "./fit-text.ts";
import { formatAnswer } from "./format.ts";
import type { OutputOptions, OutputSettings } from "./options.ts";
import { openOut } from "./pager.ts";
import { tell } from "./tell.ts";

/** Call it before the operation, so that an invalid --fields changes nothing. */
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
    // All formats accept cells.
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

async function loadListedCells(operation: Operation): Promise<Cells> {
  const { create, list } = findKindOfOperation(operation.name) ?? {};
  if (list === undefined || !(showsOne(operation) || answersRecord(operation) || create === operation.name))
    return {};
  return (await loadPresentation(list)).cells ?? {};
}

export function toScreenOptions(context: CliContext, settings: Pick<OutputSettings, "noColor">) {
  return {
    isTerminal: Boolean(context.stdout.isTTY),
    width: sizeOf(context.stdout).columns,
    color: showsColor(context.stdout, context.env, settings.noColor),
  };
}

export async function showAnswer(
  context: CliContext,
  text: string,
  options: OutputOptions,
  hasPager: boolean,
): Promise<void> {
  const value: JsonValue = JSON.parse(text);
  const { stdout, note } = await formatAnswer({ value, text }, options);
  const { isList } = toRecords(value);
  const out = openOut(context, options, hasPager && isList);
  await out.write(stdout);
  await out.end();
  if (note !== null)
    for (const line of packLines(note.split(" · "), " · ", options.width)) tell(context.stderr, line);
}

/** `truck` for truck_id, `completed_by` for itself. `nameFields`: cell → field. */
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

/** For records without an operation: `columns` are their fields. */
export function toRecordOptions(
  context: CliContext,
  settings: OutputSettings,
  columns: readonly string[],
): OutputOptions {
  const options = { form: settings.form, fields: null, knownFields: columns, columns };
  return { ...options, ...toScreenOptions(context, settings) };
}

export async function showRecords(
  context: CliContext,
  settings: OutputSettings,
  records: readonly Readonly<Record<string, JsonValue>>[],
  columns = Object.keys(records[0] ?? {}),
): Promise<void> {
  const value = records.map((record) => ({ ...record }));
  const options = toRecordOptions(context, settings, columns);
  const { stdout, note } = await formatAnswer({ value, text: JSON.stringify(value) }, options);
  context.stdout.write(stdout);
  if (note !== null) tell(context.stderr, note);
}
