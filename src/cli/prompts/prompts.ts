import inquirer from "inquirer";
import type * as z from "zod";
import type { Caller } from "../../core/caller.ts";
import { type FieldKind, fieldKinds } from "../../models/fields.ts";
import { defineModel, type Shape } from "../../models/model.ts";
import { fromText, parseModel, unwrap } from "../../models/parse.ts";
import { systemClock, type Timestamp } from "../../runtime/clock.ts";
import type { CliContext } from "../context.ts";
import type { Flag } from "../input/flags.ts";
import type { CommandInput } from "../input/input.ts";
import { cutText, openScreen } from "../output/screen.ts";
import { isPrerequisite, openFinder, type RecordFinder } from "./find-records.ts";

/** What is to be asked, and with whose help. */
export interface Questions {
  caller: Caller;
  /** What is filled in. */
  input: CommandInput;
  missing: readonly Flag[];
  /** The time by which dates are judged. */
  now: () => Timestamp;
  /** Fields that may be left out, and that are asked for once something is asked at all. */
  optional: readonly Flag[];
}

/**
 * Asks for what is missing; every answer is checked by the field's own model before the next question, and records are
 * searched for instead of being named by an id.
 */
export async function askForMissing(
  context: CliContext,
  { caller, input, missing, now, optional }: Questions,
): Promise<void> {
  const ask = openAsker(context, now);
  // Where it is done comes before what.
  const rank = ({ field, part }: Flag) => (part === "body" ? rankOf(field) : -1);
  const inOrder = missing.toSorted((a, b) => rank(a) - rank(b));
  const left = new Set(inOrder);
  const answer = async (flag: Flag): Promise<void> => {
    left.delete(flag);
    // A customer is asked for before its addresses are.
    for (const other of left) if (isPrerequisite(other.field, flag.field)) await answer(other);
    const finder = await openFinder(caller, flag.field, input);
    fillIn(input, flag, finder ? await ask.forRecord(finder) : await ask.forField(flag));
  };
  for (const flag of inOrder) if (left.has(flag)) await answer(flag);
  for (const flag of optional) {
    const value = await ask.forOptional(flag);
    if (value !== undefined) fillIn(input, flag, value);
  }
}

/** Asks whether to go on with something severe. */
export function confirm(context: CliContext, message: string): Promise<boolean> {
  return openAsker(context, systemClock.now).forYes(message);
}

function fillIn(input: CommandInput, { field, part }: Flag, value: unknown): void {
  if (part === "body") input.body = { ...input.body, [field]: value };
  else input[part][field] = String(value);
}

/** Questions are no data: they go to stderr. */
function openAsker(context: CliContext, now: () => Timestamp) {
  const prompt = inquirer.createPromptModule({
    input: context.stdin,
    // In the program it is the stream of the process; tests have one of their own.
    output: context.stderr as unknown as NodeJS.WritableStream,
  });

  async function forYes(message: string): Promise<boolean> {
    const { yes } = await prompt([{ type: "confirm", name: "yes", message, default: false }]);
    return yes;
  }

  async function forRecord({ find, label, only }: RecordFinder): Promise<number | string> {
    if (only) {
      context.stderr.write(`${label}: ${only.label}, the only one\n`);
      return only.id;
    }
    const width = (context.stderr.columns ?? 80) - cursorColumns;
    const source = async (term: string | undefined) => {
      const found = await find(term ?? "");
      const text = found.map(({ label }) => label).join("");
      const screen = await openScreen(text, { isTerminal: true, width, colour: false });
      return found.map((record) => ({ name: cutText(record.label, width, screen), value: record.id }));
    };
    const { value } = await prompt([
      { type: "search", name: "value", message: `${label} (type to search)`, source, pageSize: 9 },
    ]);
    return value;
  }

  function forField({ description, field, name, part, schema }: Flag): Promise<unknown> {
    return forValue(part === "body" ? field : name, schema, description);
  }

  /** undefined when nothing is answered. */
  async function forOptional({ description, field, schema }: Flag): Promise<unknown> {
    const validate = (text: string) => text === "" || check(field, schema, text, now());
    const message = `${field} (${describe(description, schema)}; Enter leaves it out)`;
    const { value } = await prompt([{ type: "input", name: "value", message, validate }]);
    return value === "" ? undefined : read(field, schema, value);
  }

  async function forValue(name: string, schema: z.ZodType, description: string): Promise<unknown> {
    if (schema.type === "array") return forList(name, unwrap((schema as z.ZodArray<z.ZodType>).element));
    if (schema.type === "object") return forObject((schema as z.ZodObject<Shape>).shape);
    const described = describe(description, schema);
    const message = described === "" ? name : `${name} (${described})`;
    const kind = fieldKinds.get(schema);
    if (kind?.name === "choice") {
      const choices = toChoices(kind, String(schema.meta()?.description ?? ""));
      const { value } = await prompt([{ type: "select", name: "value", message: name, choices }]);
      return value;
    }
    if (kind?.name === "boolean") return forYes(`${message}?`);
    const isSecret = kind?.input.format === "password";
    const validate = (text: string) => check(name, schema, text, now());
    const { value } = await prompt([
      { type: isSecret ? "password" : "input", name: "value", message, validate },
    ]);
    return read(name, schema, value);
  }

  async function forList(name: string, element: z.ZodType): Promise<unknown[]> {
    const kind = fieldKinds.get(element);
    if (kind?.name === "choice") {
      const choices = kind.input.enum as string[];
      const { value } = await prompt([
        { type: "checkbox", name: "value", message: name, choices, required: true },
      ]);
      return value;
    }
    const entries: unknown[] = [];
    while (await forYes(entries.length === 0 ? `Add ${name}?` : `Add more ${name}?`)) {
      entries.push(await forValue(`${name} ${entries.length + 1}`, element, ""));
    }
    return entries;
  }

  async function forObject(shape: Shape): Promise<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    const fields = Object.entries(shape).toSorted(([a], [b]) => rankOf(a) - rankOf(b));
    for (const [field, wrapped] of fields) {
      const schema = unwrap(wrapped);
      const { description = "" } = schema.meta() ?? {};
      if (wrapped.type !== "optional") values[field] = await forValue(field, schema, description);
    }
    return values;
  }

  return { forField, forOptional, forRecord, forYes };
}

/** The fields that people say in an order of their own; all others are asked for after them, in the model's order. */
const asSaid = [
  ...["username", "name", "line_1", "locality", "region", "postcode", "country"],
  ...["latitude", "longitude"],
];

function rankOf(field: string): number {
  return asSaid.includes(field) ? asSaid.indexOf(field) : asSaid.length;
}

/** What a flag says of a field, without what a prompt shows by itself. */
function describe(description: string, schema: z.ZodType): string {
  const kind = fieldKinds.get(schema)?.name;
  const words = description.split("; ").filter((part) => !["", "date", "true or false"].includes(part));
  return [...words, ...(kind === "timestamp" ? ["like 2026-12-01"] : [])].join("; ");
}

/** What stands before a choice. */
const cursorColumns = 3;

/** Each word, and what it stands for where the description says so: `D drop-off, E exchange`. */
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

/** true, or what is wrong with the answer. */
function check(name: string, schema: z.ZodType, text: string, now: Timestamp): true | string {
  const model = defineModel("Answer", { [name]: schema });
  const naming = { prefix: "", unknownCode: "unknown_field" } as const;
  const { violations } = parseModel(model, { [name]: read(name, schema, text) }, now, naming);
  return violations[0]?.detail ?? true;
}
