import { Option } from "commander";
import type * as z from "zod";
import type { Operation } from "../../core/operation.ts";
import { type FieldKind, fieldKinds, type JsonSchema } from "../../models/fields.ts";
import { unwrap } from "../../models/parse.ts";
import { type CommandOption, toCommandOptions } from "../../records/command-options.ts";
import { kindOfField } from "../../records/find-kind.ts";
import type { Presentation } from "../presentation/presentation.ts";
import { addressWords, isAddressShape } from "./typed-address.ts";

export interface Flag extends CommandOption {
  isRequired: boolean;
  /** An empty value means null: the field may be null, and its text may not be empty. */
  emptiesField: boolean;
  /** Without optional and nullable wrappers. */
  schema: z.ZodType;
  /** null for lists and objects. */
  kind: FieldKind | null;
  isList: boolean;
  description: string;
}

/** Required first: path, query, body. */
export function toFlags(operation: Operation): Flag[] {
  const flags = toCommandOptions(operation).map(toFlag);
  if (isAddressShape(operation.body?.shape ?? {})) for (const flag of flags) easeAddress(flag);
  return [...flags.filter((flag) => flag.isRequired), ...flags.filter((flag) => !flag.isRequired)];
}

/** Uses the everyday word. The command fills in what a new address may omit. */
function easeAddress(flag: Flag): void {
  flag.spokenName ??= addressWords[flag.field] ?? null;
  const filled = flag.isRequired ? filledIn[flag.field] : undefined;
  if (filled === undefined) return;
  flag.isRequired = false;
  flag.description = `${flag.description}; default: ${filled}`;
}

const filledIn: Readonly<Record<string, string>> = {
  country: "from the postcode and the state, else the location's",
  is_billing: "true for the first billing address",
  is_shipping: "true",
  latitude: "approximate, from the ZIP",
  longitude: "approximate, from the ZIP",
};

function toFlag(option: CommandOption): Flag {
  const { field, isSecret, part, schema: wrapped } = option;
  const schema = unwrap(wrapped);
  const kind = fieldKinds.get(schema) ?? null;
  const { description: own = "" } = { description: "", ...schema.meta() };
  const described = part === "params" ? describeParameter(field, schema) : own;
  const description = follows(option)
    ? "location, by ID or name; default: the record's location, else the only one"
    : described;
  return {
    ...option,
    isRequired: wrapped.type !== "optional",
    emptiesField: part === "body" && kind !== null && isNullable(wrapped) && !takesEmptyText(kind),
    schema,
    kind,
    isList: schema.type === "array",
    description: [
      isSecret ? `file with the ${field}, - for standard input` : "",
      description,
      kind ? describeKind(kind, part === "params" ? "" : field, description) : describeNested(schema),
    ]
      .filter((text) => text)
      .join("; "),
  };
}

/** The location of a path follows from the record or from the settings. */
const follows = ({ field, part }: Pick<Flag, "field" | "part">) =>
  part === "params" && field === "location_id";

function isNullable(wrapped: z.ZodType): boolean {
  if (wrapped.type === "nullable") return true;
  return wrapped.type === "optional" && isNullable((wrapped as z.ZodOptional<z.ZodType>).unwrap());
}

function takesEmptyText({ input, name }: FieldKind): boolean {
  return (
    name === "text" && ((input.minLength as number | undefined) ?? 0) === 0 && input.pattern === undefined
  );
}

/** From the schema, else from the name. */
export function describeParameter(name: string, schema: z.ZodType | undefined): string {
  const { description } = { description: undefined, ...schema?.meta() };
  if (description !== undefined) return description;
  const words = name.replace(/_(id|uuid)$/, "").replaceAll("_", " ");
  return kindOfField(name) === null ? `${words} identifier` : `the ${words}, by ID or name`;
}

/** Empty if the description names the values. */
function describeKind({ name, input, when }: FieldKind, field = "", description = ""): string {
  if (kindOfField(field) !== null) return "ID or name";
  if (name === "choice") {
    const words = input.enum as string[];
    const isSaid = words.every((word) => new RegExp(`\\b${word}\\b`).test(description));
    return isSaid ? "" : `one of ${words.join(", ")}`;
  }
  if (name === "timestamp") return when ? `must be in the ${when}` : "";
  if (name === "object") return "JSON or lines `Name: value`, or @file of either";
  return name === "text" ? describeLength(input) : describeBounds(input);
}

function describeLength({ minLength = 0, maxLength, examples }: JsonSchema): string {
  const least = Number(minLength) > 1 ? `${minLength} to` : "up to";
  const length = maxLength === undefined ? "" : `${least} ${maxLength} characters`;
  const example = Array.isArray(examples) ? `like ${examples[0]}` : "";
  return [length, example].filter((text) => text).join(", ");
}

function describeBounds({ minimum, maximum }: JsonSchema): string {
  if (minimum === 1 && maximum === undefined) return "";
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  return minimum === undefined ? "" : `at least ${minimum}`;
}

function describeNested(schema: z.ZodType): string {
  if (schema.type !== "array") return "JSON, @file, or field=value,…";
  const element = unwrap((schema as z.ZodArray<z.ZodType>).element);
  const kind = fieldKinds.get(element);
  const bounds = kind && describeKind(kind);
  if (kind) return `${bounds ? `${bounds}; ` : ""}repeat, or separate with commas`;
  return "JSON, @file, or field=value,…; repeat for more";
}

/** A required location may follow from the record. */
export const isNeeded = (flag: Flag) => flag.isRequired && !follows(flag);

export function toOption(flag: Flag): Option {
  const placeholder = flag.kind?.name === "boolean" ? "[boolean]" : `<${placeholderOf(flag)}>`;
  const option = new Option(
    `${flag.spokenName === null ? "" : `--${flag.spokenName}, `}--${flag.name} ${placeholder}`,
    [flag.description, ...(isNeeded(flag) ? ["(required)"] : [])].join(" ").trim(),
  );
  if (flag.kind?.name === "boolean") option.preset("true");
  if (flag.isList)
    option.argParser((text: string, earlier: string[] | undefined) => [...(earlier ?? []), text]);
  return option;
}

function placeholderOf({ field, kind, isList, isSecret, part }: Flag): string {
  if (isSecret) return "file";
  if (part === "params" || kindOfField(field) !== null) return "name";
  if (!kind) return isList ? "entry" : "json";
  return placeholders[kind.name];
}

const placeholders: Record<FieldKind["name"], string> = {
  boolean: "boolean",
  choice: "word",
  integer: "n",
  number: "x",
  object: "json",
  text: "text",
  timestamp: "date",
};

export function optionKey(flag: Pick<Flag, "name">): string {
  return flag.name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Includes options that the terminal adds to the filters of a list. */
export function toInputOptions(flags: readonly Flag[], { partly, shorthands = {} }: Presentation): Option[] {
  const inPart = (flag: Flag) =>
    flag.field === partly ? { ...flag, description: "part of the value; * matches any characters" } : flag;
  const exact = flags.filter(({ field }) => field === partly);
  return [
    ...flags.map((flag) => toOption(inPart(flag))),
    ...exact.map(({ name }) => new Option("--exact", `match the whole ${name}, ignoring case`)),
    ...Object.entries(shorthands).map(([name, { summary }]) => new Option(`--${name}`, summary)),
  ];
}
