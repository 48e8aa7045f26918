import { failure } from "../../errors/errors.ts";
import { type CliContext, isInteractive } from "../context.ts";

/** --yes confirms in advance. Throws confirmation_needed without a terminal, and declined after a no. */
export async function requireYes(
  context: CliContext,
  question: string,
  { yes }: { yes?: unknown },
): Promise<void> {
  if (yes === true) return;
  if (!isInteractive(context)) throw failure("confirmation_needed", question);
  const { confirm } = await import("./prompts.ts");
  if (!(await confirm(context, question))) throw failure("declined", "You answered no. Nothing changed.");
}

/** The user types a name before an irreversible change. --yes confirms in advance. Throws like `requireYes`. */
export async function requireTypedName(
  context: CliContext,
  question: string,
  name: string,
  { yes }: { yes?: unknown },
): Promise<void> {
  if (yes === true) return;
  if (!isInteractive(context)) throw failure("confirmation_needed", question);
  const { askTyped } = await import("./prompts.ts");
  const typed = await askTyped(context, `${question} Type ${name} to confirm:`);
  if (typed.trim() !== name) throw failure("declined", `"${typed}" is not "${name}". Nothing changed.`);
}
