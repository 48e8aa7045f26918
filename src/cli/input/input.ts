import type * as z from "zod";
import type { Operation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { fieldKinds } from "../../models/fields.ts";
import { parseJsonBody } from "../../models/json-body.ts";
import { fromText, unwrap } from "../../models/parse.ts";
import { kindOfField } from "../../records/find-kind.ts";
import type { CliContext, OptionValues } from "../context.ts";
import { type Flag, optionKey } from "./flags.ts";
import { parseHeaderFile } from "./header-file.ts";
import { readBytes, readText } from "./read-text.ts";
import {
  addState,
  fromAddressWords,
  isAddressShape,
  readAddressLine,
  toEntryShape,
} from "./typed-address.ts";

export interface CommandInput {
  params: Record<string, string>;
  query: Record<string, string>;
  /** undefined for operations without a body. */
  body: Record<string, unknown> | undefined;
}

/** Options override fields of --body. */
export async function readInput(
  context: CliContext,
  operation: Operation,
  flags: readonly Flag[],
  ownId: { name: string; value: string } | null,
  options: OptionValues,
): Promise<CommandInput> {
  const body = operation.body ? await readBody(context, options.body) : undefined;
  const input: CommandInput = { params: ownId ? { [ownId.name]: ownId.value } : {}, query: {}, body };
  for (const flag of flags) {
    const given = options[optionKey(flag)];
    if (given === undefined) continue;
    if (flag.part !== "body") input[flag.part][flag.field] = String(given);
    else if (input.body) input.body[flag.field] = await readField(context, flag, given);
  }
  const shape = operation.body?.shape ?? {};
  // Separate options override the line.
  if (input.body && typeof options.address === "string" && isAddressShape(shape))
    input.body = addState({ ...readAddressLine(options.address, shape), ...input.body });
  return input;
}

async function readBody(context: CliContext, file: unknown): Promise<Record<string, unknown>> {
  if (typeof file !== "string") return {};
  const value = parseJsonBody(await readBytes(context, file));
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw failure("malformed_json", `${file === "-" ? "Standard input" : file} must hold a JSON object.`);
}

async function readField(context: CliContext, flag: Flag, given: unknown): Promise<unknown> {
  // Editors end a file with a line break, which is not part of a password.
  if (flag.isSecret) return (await readText(context, String(given))).replace(/\r?\n$/, "");
  if (flag.kind?.name === "object") return readHeaders(context, flag, String(given));
  if (!Array.isArray(given))
    return flag.kind ? toScalar(flag, String(given)) : readNested(context, flag.schema, String(given));
  const element = unwrap((flag.schema as z.ZodArray<z.ZodType>).element);
  const isNested = element.type === "object";
  const entries = await Promise.all(
    given.map((text: string) => (isNested ? readNested(context, element, text) : toScalars(element, text))),
  );
  return entries.flat();
}

/** JSON, or lines `Name: value`. A file hides values from other users, and errors do not quote them. */
async function readHeaders(context: CliContext, { name }: Flag, given: string): Promise<unknown> {
  if (given === "" || given === "null") return null;
  const file = given.startsWith("@") ? given.slice(1) : null;
  const text = file === null ? given : await readText(context, file);
  if (!/^\s*[[{"]/.test(text)) return parseHeaderFile(text, file ?? `--${name}`);
  try {
    return parseJsonBody(text);
  } catch (error) {
    throw failure("malformed_json", `${file ?? `--${name}`} is not valid JSON.`, null, error);
  }
}

/** An empty text clears the field, and so does `null` (except in a text) and `none` for a record: `--truck none`. */
function toScalar({ emptiesField, field, schema, kind }: Flag, text: string): unknown {
  if (emptiesField && (text === "" || (text.toLowerCase() === "none" && kindOfField(field)))) return null;
  if (text === "null" && kind?.name !== "text") return null;
  return fromText({ [field]: schema }, { [field]: text })[field];
}

/** Splits `Job,Customer`. */
function toScalars(element: z.ZodType, text: string): unknown[] {
  return text.split(",").map((part) => fromText({ entry: element }, { entry: part.trim() }).entry);
}

/** JSON, `@file`, or `field=value,field=value`; an address also from one line. */
async function readNested(context: CliContext, schema: z.ZodType, text: string): Promise<unknown> {
  if (text.startsWith("@")) return parseJsonBody(await readText(context, text.slice(1)));
  if (!isPairs(text)) return parseJsonBody(text);
  const shape = toEntryShape(schema);
  if (!isAddressShape(shape)) return fromText(shape, parsePairs(text));
  if (/^\s*\w+=/.test(text)) return fromText(shape, fromAddressWords(parsePairs(text)));
  return readAddressLine(text, shape);
}

const isPairs = (text: string) => !text.startsWith("@") && !/^\s*[[{]/.test(text);

/** `line_1=1 Main St,country=US`: a comma ends a value only before a name and `=`. */
function parsePairs(text: string): Record<string, string> {
  const pairs = text.split(/,(?=\s*\w+=)/).map((pair) => /^\s*(\w+)=(.*)$/s.exec(pair));
  return Object.fromEntries(
    pairs.map((match) => {
      if (!match) throw failure("usage", `"${text}" is not JSON, @file, or field=value,field=value.`);
      return [match[1] ?? "", match[2] ?? ""];
    }),
  );
}

export function copyInput({ params, query, body }: CommandInput): CommandInput {
  return { params: { ...params }, query: { ...query }, body: body && { ...body } };
}

export interface GivenTime {
  /** The option, or for a pair its field. */
  flag: Flag;
  text: string;
  /** The field of the pairs (`timestamp=8:00`); null for a separate option. */
  within: string | null;
}

/** An empty text or `null` clears the field, so it is not a time. */
export function findTimes(flags: readonly Flag[], options: OptionValues): GivenTime[] {
  return flags
    .flatMap((flag): GivenTime[] => {
      const given = options[optionKey(flag)];
      if (given === undefined) return [];
      if (flag.kind?.name === "timestamp") return [{ flag, text: String(given), within: null }];
      return flag.kind === null ? [given].flat().flatMap((text) => findPairTimes(flag, String(text))) : [];
    })
    .filter(({ text }) => text !== "" && text !== "null");
}

/** Times in JSON or in a file have the API's format. */
function findPairTimes(flag: Flag, text: string): GivenTime[] {
  const shape = toEntryShape(flag.schema);
  const kindOf = (name: string) => (shape[name] ? fieldKinds.get(unwrap(shape[name])) : undefined);
  if (!Object.keys(shape).some((name) => kindOf(name)?.name === "timestamp") || !isPairs(text)) return [];
  return Object.entries(parsePairs(text)).flatMap(([field, typed]) => {
    const kind = kindOf(field);
    if (kind?.name !== "timestamp") return [];
    return [
      { flag: { ...flag, field, kind, name: `${flag.name} ${field}` }, text: typed, within: flag.field },
    ];
  });
}

export function findMissing(flags: readonly Flag[], input: CommandInput): Flag[] {
  return flags.filter(({ emptiesField, field, isRequired, part }) => {
    const value = input[part]?.[field];
    return isRequired && (value === undefined || (value === null && !emptiesField));
  });
}
