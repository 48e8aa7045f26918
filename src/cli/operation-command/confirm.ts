import { kindOfOperation } from "../../records/find-kind.ts";
import type { CliContext } from "../context.ts";
import { requireYes } from "../prompts/require-yes.ts";
import type { Target } from "../target/target.ts";
import type { ParsedCommand } from "./parse.ts";

/** Asks before a severe command acts, and shows on what. Throws confirmation_needed and declined. */
export async function confirmCommand(
  context: CliContext,
  command: ParsedCommand,
  target: Target,
): Promise<void> {
  if (!command.isSevere || command.dryRun) return;
  await requireYes(context, toQuestion(command, target), command.options);
}

function toQuestion({ operation, shorthand, input, own }: ParsedCommand, { name, tenant }: Target): string {
  const what = shorthand?.summary ?? operation.summary;
  const ids = own?.ids.join(", ") ?? "";
  const plural = ids.includes(",") ? "s" : "";
  const around = Object.entries(input.params)
    .filter(([param]) => param !== own?.param)
    .map(([param, id]) => `, ${param.replace(/_id$/, "").replaceAll("_", " ")} ${id}`)
    .join("");
  const { label } = kindOfOperation(operation.name);
  const where = `${name}, tenant ${tenant.id} (${tenant.name})`;
  return `${what}: ${label}${plural} ${ids}${around} in ${where}?`;
}
