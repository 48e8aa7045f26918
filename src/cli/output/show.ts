import type * as z from "zod";
import type { Operation } from "../../core/operation.ts";
import type { ApiVersion } from "../../models/api-versions.ts";
import { type AnswerModel, entryModel, type Shape } from "../../models/model.ts";
import { unwrap } from "../../models/parse.ts";
import { modelAt } from "../../versions/serializer.ts";
import type { OptionValues } from "../context.ts";
import { type CliContext, showsColour } from "../context.ts";
import { loadPresentation } from "../presentation/index.ts";
import { parseFields } from "./fields.ts";
import { formatAnswer, type OutputOptions, type OutputSettings } from "./format.ts";
import { openOut } from "./paged-out.ts";

/** How an operation's answers are shown; made before the operation runs, so that a wrong --fields changes nothing. */
export async function toOutputOptions(
  context: CliContext,
  settings: OutputSettings,
  operation: Operation,
  version: ApiVersion,
  { quiet, csvSafe }: OptionValues,
): Promise<OutputOptions> {
  const form = quiet === true ? "ids" : settings.form;
  const knownFields = fieldPathsOf(operation.output as AnswerModel, version);
  const { cells = {}, columns = [], tones = {} } = await loadPresentation(operation.name);
  // What a table shows can be chosen for it, also where it is no field.
  const choices = form === "table" ? [...knownFields, ...Object.keys(cells)] : knownFields;
  return {
    form,
    fields: settings.fields === null ? null : parseFields(settings.fields, choices),
    knownFields,
    columns,
    cells,
    tones,
    csvSafe: csvSafe === true,
    ...toScreenOptions(context, settings),
  };
}

/** What the terminal, or the lack of one, asks of any output. */
export function toScreenOptions(context: CliContext, settings: Pick<OutputSettings, "noColour">) {
  return {
    isTerminal: Boolean(context.stdout.isTTY),
    width: context.stdout.columns ?? 80,
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
  const { stdout, note } = await formatAnswer({ value: JSON.parse(text), text }, options);
  const out = openOut(context, options, hasPager);
  await out.write(stdout);
  await out.end();
  if (note !== null) context.stderr.write(`${note}\n`);
}

/** Every field of one record of an answer at a version, as a dotted path, in answer order; lists are not entered. */
export function fieldPathsOf(answer: AnswerModel, version: ApiVersion): string[] {
  return toFieldPaths(recordOf(answer), version);
}

/** The model of one record: of a list its entries', else the answer's own. */
export function recordOf(answer: AnswerModel): z.ZodObject<Shape> {
  const model = entryModel(answer);
  const results = model.shape.results;
  return results ? (unwrap((results as z.ZodArray<z.ZodType>).element) as z.ZodObject<Shape>) : model;
}

function toFieldPaths(model: z.ZodObject<Shape>, version: ApiVersion): string[] {
  const { shape } = modelAt(model, version);
  return Object.keys(shape)
    .sort()
    .flatMap((name) => {
      const field = shape[name];
      const inner = field && unwrap(field);
      if (inner?.type !== "object") return [name];
      return [name, ...toFieldPaths(inner as z.ZodObject<Shape>, version).map((path) => `${name}.${path}`)];
    });
}
