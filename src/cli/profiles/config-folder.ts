import envPaths from "env-paths";
import type { CliContext } from "../context.ts";
import { findConfigName } from "./config-name.ts";

/**
 * The folder of what the program keeps for its user (DISPATCH_CONFIG), by default, and where that variable names the file of
 * `serve --config`, in the platform's place for that.
 */
export function configFolder(context: Pick<CliContext, "env">): string {
  const named = findConfigName(context) === null ? context.env.DISPATCH_CONFIG : "";
  return named || envPaths("dispatch-cli", { suffix: "" }).config;
}
