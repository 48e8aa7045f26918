import type * as z from "zod";
import { countryOf, parseAddress } from "../../geography/parse-address.ts";
import { toFieldValue } from "../../local-time/field-time.ts";
import { readTime, type TypedAt } from "../../local-time/read-time.ts";
import { showDay, showMoment } from "../../local-time/show-time.ts";
import { type FieldKind, fieldKinds } from "../../models/fields.ts";
import { defineModel, type Shape } from "../../models/model.ts";
import { fromText, parseModel, unwrap } from "../../models/parse.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Flag } from "../input/flags.ts";
import { addressExample, addressWords, isAddressShape, readAddressLine } from "../input/typed-address.ts";
import { askYes, type Prompt } from "./open-prompt.ts";

/** The terminal, the clock, and how to read times. */
export interface Asking {
  prompt: Prompt;
  now: () => Timestamp;
  typedAt: () => Promise<TypedAt>;
}

export function askField(asking: Asking, { description, field, name, part, schema }: Flag): Promise<unknown> {
  return askValue(asking, part === "body" ? field : name, schema, description);
}

/** undefined if the user presses Enter. */
export async function askOptional(asking: Asking, { description, field, schema }: Flag): Promise<unknown> {
  const message = `${field} (${describe(description, schema)}; Enter skips it)`;
  return askText(asking, { isOptional: true, message, name: field, schema });
}

/** Enter accepts the preset, or skips an optional value. */
export async function askNamed(
  asking: Asking,
  name: string,
  wrapped: z.ZodType,
  preset: string | null,
): Promise<unknown> {
  const schema = unwrap(wrapped);
  const described = describe(String(schema.meta()?.description ?? ""), schema);
  const hint = [described, wrapped.type === "optional" ? "Enter skips it" : ""].filter((part) => part !== "");
  const message = hint.length === 0 ? name : `${name} (${hint.join("; ")})`;
  return askText(asking, { isOptional: wrapped.type === "optional", message, name, preset, schema });
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
  const { prompt } = asking;
  const described = describe(description, schema);
  const message = described === "" ? name : `${name} (${described})`;
  const kind = fieldKinds.get(schema);
  if (kind?.name === "choice") {
    const choices = toChoices(kind, String(schema.meta()?.description ?? ""));
    return prompt.select({ message: name, choices });
  }
  if (kind?.name === "boolean") return askYes(prompt, `${message}?`);
  return askText(asking, { isOptional: false, message, name, schema });
}

interface TextQuestion {
  /** Enter returns undefined. */
  isOptional: boolean;
  message: string;
  name: string;
  /** The value for Enter. */
  preset?: string | null;
  schema: z.ZodType;
}

async function askText(
  { now, prompt, typedAt }: Asking,
  { isOptional, message, name, preset, schema }: TextQuestion,
): Promise<unknown> {
  const kind = fieldKinds.get(schema);
  const isSecret = kind?.input.format === "password";
  const time = kind?.name === "timestamp" ? toTimeReader(await typedAt(), name) : null;
  const validate = (text: string) => {
    if (text === "" && isOptional) return true;
    const understood = time?.read(text);
    if (understood && "refusal" in understood) return `"${text}" ${understood.refusal}`;
    return check(name, schema, understood?.value ?? text, now());
  };
  const value = isSecret
    ? await prompt.password({ message, validate })
    : await prompt.input({
        message,
        validate,
        ...(time && { transformer: time.show }),
        ...(preset && { default: preset }),
      });
  if (value === "" && isOptional) return undefined;
  const understood = time?.read(value);
  return read(name, schema, understood && "value" in understood ? understood.value : value);
}

/** Shows how it read the time. */
function toTimeReader(at: TypedAt, field: string) {
  const view = { today: at.zone.dateOf(at.now), zone: at.zone };
  const read = (text: string): { value: Timestamp } | { refusal: string } => {
    const understood = readTime(text, at);
    if ("refusal" in understood) return understood;
    return { value: toFieldValue(understood.time, field, at.zone) };
  };
  const show = (text: string) => {
    const understood = text === "" ? null : readTime(text, at);
    if (understood === null || "refusal" in understood) return text;
    const { time } = understood;
    return `${text} (${"day" in time ? showDay(time.day, view) : showMoment(time.moment, view)})`;
  };
  return { read, show };
}

async function askList(asking: Asking, name: string, element: z.ZodType): Promise<unknown[]> {
  const kind = fieldKinds.get(element);
  if (kind?.name === "choice") {
    const choices = kind.input.enum as string[];
    return asking.prompt.checkbox({ message: name, choices, required: true });
  }
  const entries: unknown[] = [];
  while (await askYes(asking.prompt, entries.length === 0 ? `Add ${name}?` : `Add more ${name}?`)) {
    entries.push(await askValue(asking, `${name} ${entries.length + 1}`, element, ""));
  }
  return entries;
}

async function askObject(asking: Asking, shape: Shape): Promise<Record<string, unknown>> {
  if (isAddressShape(shape)) return askAddress(asking, shape, {});
  const values: Record<string, unknown> = {};
  const fields = Object.entries(shape).toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  for (const [field, wrapped] of fields) {
    const schema = unwrap(wrapped);
    const { description = "" } = schema.meta() ?? {};
    if (wrapped.type !== "optional") values[field] = await askValue(asking, field, schema, description);
  }
  return values;
}

/** In one line, then only the missing parts. Enter asks for each field. */
export async function askAddress(
  asking: Asking,
  shape: Shape,
  preset: Readonly<Record<string, string | null>>,
): Promise<Record<string, unknown>> {
  const message = "address (in one line; Enter asks for each field)";
  const validate = (text: string) =>
    text.trim() === "" || parseAddress(text) !== null || `Write it like ${addressExample}.`;
  const transformer = (text: string) => {
    const parts = parseAddress(text);
    return parts ? `${text} (${Object.values(parts).join(" | ")})` : text;
  };
  const value = await asking.prompt.input({ message, validate, transformer });
  const address = value.trim() === "" ? {} : readAddressLine(value, shape);
  return askRestOfAddress(asking, shape, address, preset);
}

export async function askRestOfAddress(
  asking: Asking,
  shape: Shape,
  address: Readonly<Record<string, unknown>>,
  preset: Readonly<Record<string, string | null>>,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = { ...address };
  const ask = async (field: string, word: string, text: string | null) => {
    if (answers[field] === undefined && shape[field])
      answers[field] = await askNamed(asking, word, shape[field], text);
  };
  for (const [field, word] of Object.entries(addressWords)) await ask(field, word, preset[field] ?? null);
  if (countryOf(answers.postcode, answers.region) === null)
    await ask("country", "country", preset.country ?? "US");
  return answers;
}

function describe(description: string, schema: z.ZodType): string {
  const kind = fieldKinds.get(schema)?.name;
  const words = description === "" ? [] : [description];
  return [...words, ...(kind === "timestamp" ? ["like tomorrow, fri 8:00 or 12/1"] : [])].join("; ");
}

/** From a description like `D drop-off, E exchange`. */
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

/** true for a valid answer, else the problem. */
function check(name: string, schema: z.ZodType, text: string, now: Timestamp): true | string {
  const model = defineModel("Answer", { [name]: schema });
  const naming = { prefix: "", unknownCode: "unknown_field" } as const;
  const { violations } = parseModel(model, { [name]: read(name, schema, text) }, now, naming);
  return violations[0]?.detail ?? true;
}

const asSaid = ["username", "name", "line_1", "locality", "region", "postcode", "country"];

export function rankOf(field: string): number {
  return asSaid.includes(field) ? asSaid.indexOf(field) : asSaid.length;
}
