import type * as z from "zod";

import { type AnswerModel, entryModel, type Shape } from "../models/model.ts";
import { unwrap } from "../models/parse.ts";
import type { Operation } from "../operation.ts";
import type { ApiVersion } from "../versions/api-versions.ts";
import { modelAt } from "../versions/walk.ts";
import { parseFields } from "./output/fields.ts";
import { formatAnswer, type OutputOptions } from "./output/format.ts";
import type { Settings } from "./settings.ts";
import { showsColour, type World } from "./world.ts";

/** How an operation's answers are shown; made before the operation runs, so that a wrong --fields changes nothing. */
export function toOutputOptions(
  world: World,
  settings: Settings,
  operation: Operation,
  version: ApiVersion,
): OutputOptions {
  const record = recordOf(operation.output as AnswerModel);
  const knownFields = toFieldPaths(record, version);
  const cells = operation.cli?.cells ?? {};
  // What a table shows can be chosen for it, also where it is no field.
  const choices = settings.form === "table" ? [...knownFields, ...Object.keys(cells)] : knownFields;
  return {
    form: settings.form,
    fields: settings.fields === null ? null : parseFields(settings.fields, choices),
    knownFields,
    columns: operation.cli?.columns ?? [],
    cells,
    ...toScreenOptions(world, settings),
  };
}

/** What the terminal, or the lack of one, asks of any output. */
export function toScreenOptions(world: World, settings: Settings) {
  return {
    isTerminal: Boolean(world.stdout.isTTY),
    width: world.stdout.columns ?? 80,
    colour: showsColour(world.stdout, world.env, settings.noColour),
  };
}

/** Prints a JSON answer: data to stdout, what is said about it to stderr. */
export async function showAnswer(world: World, text: string, options: OutputOptions): Promise<void> {
  const { stdout, note } = await formatAnswer({ value: JSON.parse(text), text }, options);
  world.stdout.write(stdout);
  if (note !== null) world.stderr.write(`${note}\n`);
}

/** The model of one record: of a list its entries', else the answer's own. */
export function recordOf(answer: AnswerModel): z.ZodObject<Shape> {
  const model = entryModel(answer);
  const results = model.shape.results;
  return results ? (unwrap((results as z.ZodArray<z.ZodType>).element) as z.ZodObject<Shape>) : model;
}

/** Every field of a record at a version as a dotted path, in answer order; lists are not entered. */
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
