import inquirer from "inquirer";
import type * as z from "zod";
import { systemClock } from "../clock.ts";
import { fieldKinds } from "../models/fields.ts";
import { defineModel, type Shape } from "../models/model.ts";
import { fromText, parseModel, unwrap } from "../models/parse.ts";
import type { Flag } from "./flags.ts";
import type { CommandInput } from "./input.ts";

/** Asks for what is missing; every answer is checked by the field's own model before the next question. */
export async function askForMissing(missing: readonly Flag[], input: CommandInput): Promise<void> {
  for (const flag of missing) {
    if (flag.part === "body")
      input.body = {
        ...input.body,
        [flag.field]: await askForField(flag.field, flag.schema, flag.description),
      };
    else input[flag.part][flag.field] = String(await askForField(flag.name, flag.schema, flag.description));
  }
}

/** Asks whether to go on with something severe. */
export async function confirm(message: string): Promise<boolean> {
  const { yes } = await inquirer.prompt([{ type: "confirm", name: "yes", message, default: false }]);
  return yes;
}

async function askForField(name: string, schema: z.ZodType, description: string): Promise<unknown> {
  const message = description === "" ? name : `${name} (${description})`;
  if (schema.type === "array") return askForList(name, unwrap((schema as z.ZodArray<z.ZodType>).element));
  if (schema.type === "object") return askForObject((schema as z.ZodObject<Shape>).shape);
  const kind = fieldKinds.get(schema);
  if (kind?.name === "choice") {
    const choices = kind.input.enum as string[];
    const { value } = await inquirer.prompt([{ type: "select", name: "value", message, choices }]);
    return value;
  }
  if (kind?.name === "boolean") return confirm(`${name}?`);
  const isSecret = kind?.input.format === "password";
  const validate = (text: string) => check(name, schema, text);
  const { value } = await inquirer.prompt([
    { type: isSecret ? "password" : "input", name: "value", message, validate },
  ]);
  return read(name, schema, value);
}

async function askForList(name: string, element: z.ZodType): Promise<unknown[]> {
  const kind = fieldKinds.get(element);
  if (kind?.name === "choice") {
    const choices = kind.input.enum as string[];
    const { value } = await inquirer.prompt([
      { type: "checkbox", name: "value", message: name, choices, required: true },
    ]);
    return value;
  }
  const entries: unknown[] = [];
  while (await confirm(entries.length === 0 ? `Add ${name}?` : `Add more ${name}?`)) {
    entries.push(await askForField(`${name} ${entries.length + 1}`, element, ""));
  }
  return entries;
}

async function askForObject(shape: Shape): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [field, wrapped] of Object.entries(shape)) {
    const schema = unwrap(wrapped);
    const { description = "" } = schema.meta() ?? {};
    if (wrapped.type !== "optional") values[field] = await askForField(field, schema, description);
  }
  return values;
}

function read(name: string, schema: z.ZodType, text: string): unknown {
  return fromText({ [name]: schema }, { [name]: text })[name];
}

/** true, or what is wrong with the answer. */
function check(name: string, schema: z.ZodType, text: string): true | string {
  const model = defineModel("Answer", { [name]: schema });
  const naming = { prefix: "", unknownCode: "unknown_field" } as const;
  const { violations } = parseModel(model, { [name]: read(name, schema, text) }, systemClock.now(), naming);
  return violations[0]?.detail ?? true;
}
