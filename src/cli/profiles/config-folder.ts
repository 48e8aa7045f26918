import { statSync } from "node:fs";
import envPaths from "env-paths";
import type { CliContext } from "../context.ts";

/** DISPATCH_CONFIG, or the platform's folder if that is unset or names a file. */
export function configFolder(context: Pick<CliContext, "env">): string {
  const named = findConfigName(context) === null ? context.env.DISPATCH_CONFIG : "";
  return named || envPaths("dispatch-cli", { suffix: "" }).config;
}

/** null if DISPATCH_CONFIG names a folder or is unset. */
export function findConfigName({ env }: Pick<CliContext, "env">): string | null {
  const name = env.DISPATCH_CONFIG ?? "";
  return /\.ya?ml$/i.test(name) || isFile(name) ? name : null;
}

function isFile(name: string): boolean {
  try {
    return name !== "" && statSync(name).isFile();
  } catch {
    // The folder does not exist yet.
    return false;
  }
}
