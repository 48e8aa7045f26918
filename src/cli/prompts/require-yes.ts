import { failure } from "../../errors/errors.ts";
import { type CliContext, isInteractive } from "../context.ts";

/**
 * Asks a person before something severe happens. --yes answers beforehand, which a script needs. Throws
 * confirmation_needed where nobody can be asked, and declined after a no.
 */
export async function requireYes(
  context: CliContext,
  question: string,
  { yes }: { yes?: unknown },
): Promise<void> {
  if (yes === true) return;
  if (!isInteractive(context)) throw failure("confirmation_needed", question);
  const { confirm } = await import("./prompts.ts");
  if (!(await confirm(context, question))) throw failure("declined", "You answered no; nothing was changed.");
}

/**
 * Asks a person to type what is lost before something that nothing brings back. --yes answers beforehand, which a script
 * needs. Throws as `requireYes` does; anything else than the name counts as a no.
 */
export async function requireTypedName(
  context: CliContext,
  question: string,
  name: string,
  { yes }: { yes?: unknown },
): Promise<void> {
  if (yes === true) return;
  if (!isInteractive(context)) throw failure("confirmation_needed", question);
  const { askTyped } = await import("./prompts.ts");
  const typed = await askTyped(context, `${question} Type ${name} to do it:`);
  if (typed.trim() !== name) throw failure("declined", `"${typed}" is not "${name}"; nothing was changed.`);
}
