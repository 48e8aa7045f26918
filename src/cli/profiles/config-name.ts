import { statSync } from "node:fs";
import type { CliContext } from "../context.ts";

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
