import { Option } from "commander";
import type { Presentation } from "../presentation/presentation.ts";
import { type Flag, toOption } from "./flags.ts";

/** The options of a command's input: those of its fields, and what the terminal adds to the filters of a list. */
export function toInputOptions(flags: readonly Flag[], { partly, shorthands = {} }: Presentation): Option[] {
  const inPart = (flag: Flag) =>
    flag.field === partly ? { ...flag, description: "a part of it; * stands for any characters" } : flag;
  const exact = flags.filter(({ field }) => field === partly);
  return [
    ...flags.map((flag) => toOption(inPart(flag))),
    ...exact.map(({ name }) => new Option("--exact", `--${name} is the whole of it, but for case`)),
    ...Object.entries(shorthands).map(([name, { summary }]) => new Option(`--${name}`, summary)),
  ];
}
