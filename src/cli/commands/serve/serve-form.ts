import { DispatchError } from "../../../errors/errors.ts";
import type { ConfigForm, Configuration } from "../../configuration/read-configuration.ts";
import type { OptionValues } from "../../context.ts";
import { readTls } from "./read-tls.ts";
import { serveOptions } from "./serve-options.ts";

/** The configuration of `serve`. */
export const serveForm: ConfigForm = { table: serveOptions, check: checkTogether };

/** What is wrong with options that do not go together. */
function checkTogether({ options, values }: Configuration): string[] {
  // A file for the server of every day may be tried with --memory.
  const isTyped = (key: string) =>
    values.some(({ names, origin }) => names.key === key && origin === "option");
  const hasWorkers = Number(options.workers) > 1;
  const { demo, memory, resetOn } = options;
  const faults: [isFault: boolean, detail: string][] = [
    [
      memory === true && hasWorkers && isTyped("workers"),
      "--memory has one process: others could not see its store. Leave --workers out.",
    ],
    [memory === true && isTyped("data"), "--memory serves a store of its own: leave --data out."],
    [memory !== true && demo === false, "--no-demo belongs to --memory."],
    [
      memory !== true && hasWorkers && resetOn !== undefined,
      "--reset-on needs a single process: leave --workers out.",
    ],
  ];
  return [...faults.filter(([isFault]) => isFault).map(([, detail]) => detail), ...toTlsFaults(options)];
}

/** Also before a process is started with them that would not come to serve. */
function toTlsFaults(options: OptionValues): string[] {
  try {
    readTls(options);
    return [];
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    return error.violations.map(({ detail }) => detail);
  }
}
