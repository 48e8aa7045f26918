import { statSync } from "node:fs";
import envPaths from "env-paths";
import type { CliContext } from "../context.ts";

/**
 * The folder of what the program keeps for its user (DISPATCH_CONFIG), by default, and where that variable names the file of
 * `serve --config`, in the platform's place for that.
 */
export function configFolder(context: Pick<CliContext, "env">): string {
  const named = findConfigName(context) === null ? context.env.DISPATCH_CONFIG : "";
  return named || envPaths("dispatch-cli", { suffix: "" }).config;
}

/**
 * The configuration file that DISPATCH_CONFIG names; null where the variable names the folder of profiles, as it does for
 * every command, or nothing (OP-315).
 */
export function findConfigName({ env }: Pick<CliContext, "env">): string | null {
  const name = env.DISPATCH_CONFIG ?? "";
  return /\.ya?ml$/i.test(name) || isFile(name) ? name : null;
}

function isFile(name: string): boolean {
  try {
    return name !== "" && statSync(name).isFile();
  } catch {
    // A folder that is still to be made.
    return false;
  }
}
