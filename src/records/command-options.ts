import type * as z from "zod";
import { type Operation, routeOf } from "../core/operation.ts";
import { fieldKinds } from "../models/fields.ts";
import type { Shape } from "../models/model.ts";
import { unwrap } from "../models/parse.ts";
import { kindOfField } from "./find-kind.ts";
import { recordKinds, serviceNouns } from "./record-kinds.ts";

/** How the command of an operation names a parameter or a field of the body. */
export interface CommandOption {
  name: string;
  /** The everyday word: --truck for --truck-id. */
  spokenName: string | null;
  field: string;
  part: "params" | "query" | "body";
  /** With optional and nullable wrappers. */
  schema: z.ZodType;
  /** The value comes from a file: other users of the machine can see a process's options. */
  isSecret: boolean;
}

/** Whether the words of its name are its command, with these options. The built-in `hooks trigger` has others. */
export function hasCommand(name: string): boolean {
  const noun = name.split(".", 1)[0];
  return name !== "hooks.trigger" && [...recordKinds, ...serviceNouns].some((known) => known.noun === noun);
}

/** The path parameter of the command's own record: `job_id` in `/locations/{location_id}/jobs/{job_id}`. */
export function ownIdOf(operation: Pick<Operation, "name" | "route">): string | null {
  const { path } = routeOf(operation);
  const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  if (last === undefined) return null;
  const noun = operation.name.split(".", 1)[0]?.replaceAll("-", "_");
  return path.endsWith(`{${last}}`) || path.includes(`/${noun}/{${last}}`) ? last : null;
}

/** In the order path, query, body. The own ID is an argument. */
export function toCommandOptions(operation: Operation): CommandOption[] {
  const ownId = ownIdOf(operation);
  const params = Object.fromEntries(Object.entries(operation.params).filter(([name]) => name !== ownId));
  const options = [
    ...toPartOptions(params, "params"),
    ...toPartOptions(operation.query, "query"),
    ...toPartOptions(operation.body?.shape ?? {}, "body"),
  ];
  addSpokenNames(options);
  return options;
}

function toPartOptions(shape: Shape, part: CommandOption["part"]): CommandOption[] {
  return Object.entries(shape).map(([field, schema]) => {
    const unwrapped = unwrap(schema);
    const { flag } = { flag: undefined, ...unwrapped.meta() };
    const isSecret = fieldKinds.get(unwrapped)?.input.format === "password";
    const name = typeof flag === "string" ? flag : toOptionName(field, part);
    return { name: isSecret ? `${name}-file` : name, spokenName: null, field, part, schema, isSecret };
  });
}

/** `line_1` becomes --line-1. `location_id` in a path becomes --location. */
function toOptionName(field: string, part: CommandOption["part"]): string {
  return (part === "params" ? field.replace(/_id$/, "") : field).replaceAll("_", "-");
}

/** Adds each everyday word, unless another option has that word. */
function addSpokenNames(options: readonly CommandOption[]): void {
  const taken = new Set(["location", ...options.map(({ name }) => name)]);
  const isSaid = ({ field }: CommandOption) => Number(field in saidNames);
  for (const option of options.toSorted((a, b) => isSaid(b) - isSaid(a))) {
    const { field, part } = option;
    const word = saidNames[field] ?? field.replace(/_id$/, "").replaceAll("_", "-");
    if (part === "params" || kindOfField(field) === null || taken.has(word)) continue;
    taken.add(word);
    option.spokenName = word;
  }
}

/** A job is requested by its customer, so the option is --customer. */
const saidNames: Readonly<Record<string, string>> = { requested_by: "customer" };
