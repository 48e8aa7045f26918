import { failure } from "../../errors/errors.ts";
import { type CliContext, isInteractive } from "../context.ts";

/**
 * Asks before something severe; --yes is the answer where there is nobody to ask. Throws confirmation_needed and declined.
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
