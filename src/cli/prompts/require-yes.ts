import { failure } from "../../errors/errors.ts";
import { isInteractive, type World } from "../context.ts";

/**
 * Asks before something severe; --yes is the answer where there is nobody to ask. Throws confirmation_needed and declined.
 */
export async function requireYes(
  world: World,
  question: string,
  { yes, input }: { yes?: unknown; input?: unknown },
): Promise<void> {
  if (yes === true) return;
  if (!isInteractive(world) || input === false) throw failure("confirmation_needed", question);
  const { confirm } = await import("./prompts.ts");
  if (!(await confirm(world, question))) throw failure("declined", "You answered no; nothing was changed.");
}
