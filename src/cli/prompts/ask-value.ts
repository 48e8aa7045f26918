import type * as z from "zod";
import { type FieldKind, fieldKinds } from "../../models/fields.ts";
import { defineModel, type Shape } from "../../models/model.ts";
import { fromText, parseModel, unwrap } from "../../models/parse.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Flag } from "../input/flags.ts";
import { askYes, type Prompt } from "./open-prompt.ts";
import { rankOf } from "./rank-of.ts";

/** Where questions are put, and the time by which dates are judged. */
export interface Asking {
  prompt: Prompt;
  now: () => Timestamp;
}

/** Asks for the value of a flag; its own model checks the answer. */
export function askField(asking: Asking, { description, field, name, part, schema }: Flag): Promise<unknown> {
  return askValue(asking, part === "body" ? field : name, schema, description);
}

/** Asks for a value that may be left out: undefined when the person just presses Enter. */
export async function askOptional(
  { now, prompt }: Asking,
  { description, field, schema }: Flag,
): Promise<unknown> {
  const validate = (text: string) => text === "" || check(field, schema, text, now());
  const message = `${field} (${describe(description, schema)}; Enter leaves it out)`;
  const { value } = await prompt([{ type: "input", name: "value", message, validate }]);
  return value === "" ? undefined : read(field, schema, value);
}

async function askValue(
  asking: Asking,
  name: string,
  schema: z.ZodType,
  description: string,
): Promise<unknown> {
  if (schema.type === "array")
    return askList(asking, name, unwrap((schema as z.ZodArray<z.ZodType>).element));
  if (schema.type === "object") return askObject(asking, (schema as z.ZodObject<Shape>).shape);
  const { now, prompt } = asking;
  const described = describe(description, schema);
  const message = described === "" ? name : `${name} (${described})`;
  const kind = fieldKinds.get(schema);
  if (kind?.name === "choice") {
    const choices = toChoices(kind, String(schema.meta()?.description ?? ""));
    const { value } = await prompt([{ type: "select", name: "value", message: name, choices }]);
    return value;
  }
  if (kind?.name === "boolean") return askYes(prompt, `${message}?`);
  const type = kind?.input.format === "password" ? "password" : "input";
  const validate = (text: string) => check(name, schema, text, now());
  const { value } = await prompt([{ type, name: "value", message, validate }]);
  return read(name, schema, value);
}

async function askList(asking: Asking, name: string, element: z.ZodType): Promise<unknown[]> {
  const kind = fieldKinds.get(element);
  if (kind?.name === "choice") {
    const choices = kind.input.enum as string[];
    const { value } = await asking.prompt([
      { type: "checkbox", name: "value", message: name, choices, required: true },
    ]);
    return value;
  }
  const entries: unknown[] = [];
  while (await askYes(asking.prompt, entries.length === 0 ? `Add ${name}?` : `Add more ${name}?`)) {
    entries.push(await askValue(asking, `${name} ${entries.length + 1}`, element, ""));
  }
  return entries;
}

async function askObject(asking: Asking, shape: Shape): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const fields = Object.entries(shape).toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  for (const [field, wrapped] of fields) {
    const schema = unwrap(wrapped);
    const { description = "" } = schema.meta() ?? {};
    if (wrapped.type !== "optional") values[field] = await askValue(asking, field, schema, description);
  }
  return values;
}

/** Describes a field as its flag does, without the words that the prompt itself makes plain. */
function describe(description: string, schema: z.ZodType): string {
  const kind = fieldKinds.get(schema)?.name;
  const words = description.split("; ").filter((part) => !["", "date", "true or false"].includes(part));
  return [...words, ...(kind === "timestamp" ? ["like 2026-12-01"] : [])].join("; ");
}

/** Makes a choice of each word, with its meaning where the description has it: `D drop-off, E exchange`. */
function toChoices({ input }: FieldKind, description: string): { name: string; value: string }[] {
  const meanings = new Map(
    description.split(", ").map((part): [string, string] => {
      const at = part.indexOf(" ");
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
  return (input.enum as string[]).map((word) => {
    const meaning = meanings.get(word);
    return { name: meaning === undefined ? word : `${word}  ${meaning}`, value: word };
  });
}

function read(name: string, schema: z.ZodType, text: string): unknown {
  return fromText({ [name]: schema }, { [name]: text })[name];
}

/** Gives true for a good answer, else what is wrong with it. */
function check(name: string, schema: z.ZodType, text: string, now: Timestamp): true | string {
  const model = defineModel("Answer", { [name]: schema });
  const naming = { prefix: "", unknownCode: "unknown_field" } as const;
  const { violations } = parseModel(model, { [name]: read(name, schema, text) }, now, naming);
  return violations[0]?.detail ?? true;
}
