import type { Operation } from "../../core/operation.ts";
import { ownIdOf } from "../../records/command-options.ts";
import type { Flag } from "../input/flags.ts";
import { type CommandOperations, isSevere, toCommandFlags } from "./command-operations.ts";

/** An example for the demo store: from the presentation, else from required options. */
export function toExample(operations: CommandOperations): string | null {
  const { operation, presentation, shorthand } = operations;
  const own = (shorthand ?? presentation).example;
  if (own !== undefined) return own;
  const required = toCommandFlags(operations).filter(({ isRequired }) => isRequired);
  if (required.some(({ kind }) => kind === null)) return null;
  return [
    toCommandWords(operation, shorthand?.verb),
    ...(ownIdOf(operation) === null ? [] : ["1"]),
    ...required.map((flag) => `--${flag.name} ${toWord(flag)}`),
    ...(isSevere(operations) ? ["--yes"] : []),
  ].join(" ");
}

function toCommandWords({ name }: Operation, verb: string | undefined): string {
  const [noun = "", own = ""] = name.split(".");
  return `${noun} ${verb ?? own}`;
}

/** The demo has a record 1 of every kind. */
function toWord({ field, isSecret, kind }: Flag): string {
  if (isSecret) return "password.txt";
  const { enum: words, examples, minimum = 1, minLength = 1, maxLength }: Known = kind?.input ?? {};
  switch (kind?.name) {
    case "boolean":
      return "true";
    case "integer":
    case "number":
      return String(Math.max(minimum, 1));
    case "choice":
      return words?.[0] ?? "";
    default: {
      const text = String(
        examples?.[0] ?? field.replaceAll("_", " ").padEnd(minLength, "x").slice(0, maxLength),
      );
      return /^[\w.:/@-]+$/.test(text) ? text : `"${text}"`;
    }
  }
}

interface Known {
  enum?: readonly string[];
  examples?: readonly unknown[];
  minimum?: number;
  minLength?: number;
  maxLength?: number;
}
