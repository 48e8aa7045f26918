import envPaths from "env-paths";
import type { CliContext } from "../context.ts";

/** The folder of what the program keeps for its user (DISPATCH_CONFIG), by default in the platform's place for that. */
export function configFolder({ env }: Pick<CliContext, "env">): string {
  return env.DISPATCH_CONFIG || envPaths("dispatch-cli", { suffix: "" }).config;
}
