import { kindOfNoun } from "../../records/find-kind.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import { type Flag, ownIdOf, toFlags } from "../input/flags.ts";
import type { CuredCall } from "./find-cured.ts";

/** The command line that makes a call, as one would type it; `<id>` stands for what is to be chosen. */
export function toCommandLine(call: CuredCall): string {
  const { operation } = call;
  const [noun = "", verb = ""] = operation.name.split(".");
  const ownId = ownIdOf(operation);
  const options = toFlags(operation).flatMap((flag) => toOptionWords(flag, call[flag.part]?.[flag.field]));
  const own = ownId === null ? null : toWord(call.params?.[ownId]);
  // `jobs list --location 1` is the location's own list.
  const words =
    own !== null && kindOfNoun(verb)?.listAtLocation === operation.name
      ? [verb, "list", "--location", own, ...options]
      : [noun, verb, ...(own === null ? [] : [own]), ...options];
  return ["dispatch-cli", ...words].join(" ");
}

function toOptionWords({ field, isRequired, name, part }: Flag, value: unknown): string[] {
  if (value === undefined && !isRequired) return [];
  const placeholder = part === "params" || field.endsWith("_id") ? "<id>" : `<${name}>`;
  return [`--${name}`, toWord(value, placeholder)];
}

/** A value as a shell takes it; nothing, and `{driver_id}`, are the reader's to choose. */
function toWord(value: unknown, placeholder = "<id>"): string {
  if (value === undefined || /^\{\w+\}$/.test(String(value))) return placeholder;
  return toShellWord(typeof value === "object" ? JSON.stringify(value) : String(value));
}
