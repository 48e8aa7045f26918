import { failure } from "../../errors/errors.ts";
import { type CliContext, isInteractive } from "../context.ts";

/**
 * Asks a person before something severe happens. --yes answers beforehand, which a script needs. Throws
 * confirmation_needed where nobody can be asked, and declined after a no.
 */
export async function requireYes(
  context: CliContext,
  question: string,
  { yes, input }: { yes?: unknown; input?: unknown },
): Promise<void> {
  if (yes === true) return;
  if (!isInteractive(context) || input === false) throw failure("confirmation_needed", question);
  const { confirm } = await import("./prompts.ts");
  if (!(await confirm(context, question))) throw failure("declined", "You answered no; nothing was changed.");
}
