import type { AnswerNamed } from "../../../client/client.ts";
import { DispatchError, errorKind, exitCodes } from "../../../errors/errors.ts";
import { undoOperation } from "../../../models/audit.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { say, showFacts } from "../../output/tell.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";
import { describeUndo } from "./describe-undo.ts";

type Change = AnswerNamed<"audit.last">;

/** Whether the caller's last change that was not undone belongs to the same command. */
export async function isOfSameRun({ client }: Target, { trace_id }: Change): Promise<boolean> {
  if (trace_id === null) return false;
  const next = await client.call("audit.last", { query: {} }).catch((error: unknown) => {
    if (error instanceof DispatchError) return null;
    throw error;
  });
  return next?.trace_id === trace_id;
}

/** One change for each operation of a command or a batch, newest first; null if the caller may not list changes. */
export async function findRun({ client }: Target, last: Change): Promise<Change[] | null> {
  if (last.trace_id === null) return [last];
  const query = { page_limit: 100, user: String(last.user_id) };
  const run = new Map<string, Change>();
  try {
    for await (const change of client.pages("audit.list", { query })) {
      if (change.undone_on !== null || change.operation === undoOperation) continue;
      if (change.trace_id !== last.trace_id) break;
      // A request's undo reverts one operation; a batch has several.
      const part = `${change.request_id} ${change.created_on} ${change.operation}`;
      if (!run.has(part)) run.set(part, change);
    }
  } catch (error) {
    if (error instanceof DispatchError && error.code === "role_not_allowed") return null;
    throw error;
  }
  return [...run.values()];
}

/** Undoes each change of a command. Skips changes that their records prevent, and then exits with 6. */
export async function undoRun(
  context: CliContext,
  { options, settings, target }: { options: OptionValues; settings: Settings; target: Target },
  run: readonly Change[],
): Promise<void> {
  const call = (change: Change, dryRun: boolean) =>
    target.client.call("audit.undo", { params: { audit_id: change.id }, dryRun });
  const lines = [`${run.length} changes of one command:`, ...countOperations(run)];
  for (const change of run.slice(0, shownMax)) {
    const told = await call(change, true).then(
      (undo) => describeUndo(target, undo, settings.isUtc),
      toRefusal,
    );
    lines.push(...("refusal" in told ? [told.refusal] : told.records));
  }
  if (run.length > shownMax) lines.push(`and ${run.length - shownMax} more`);
  if (options.dryRun === true)
    return showFacts(context, settings, { changes: run.length }, ["Would undo:", ...lines]);
  if (options.yes !== true) for (const line of lines) say(context.stderr, line);
  const question = `Undo all ${run.length} in ${target.name}, tenant ${target.tenant.id} (${target.tenant.name})?`;
  await requireYes(context, question, options);
  const kept: string[] = [];
  for (const change of run) {
    const told = await call(change, false).then(() => null, toRefusal);
    if (told) kept.push(told.refusal);
  }
  const done = `Undone: ${run.length - kept.length} of ${run.length} changes.`;
  showFacts(context, settings, { changes: run.length, kept, undone: run.length - kept.length }, [done]);
  if (kept.length === 0) return;
  if (settings.form === "table") for (const line of kept.slice(0, shownMax)) say(context.stderr, line);
  throw new AlreadyShown(exitCodes.conflict);
}

const shownMax = 5;

/** `customers create by owner: 200` */
function countOperations(run: readonly Change[]): string[] {
  const counts = new Map<string, number>();
  for (const { operation, username } of run) {
    const key = `${operation.replace(".", " ")} by ${username ?? "somebody"}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `  ${key}: ${count}`);
}

function toRefusal(error: unknown): { refusal: string } {
  if (error instanceof DispatchError && [403, 404, 409].includes(errorKind(error.code).status ?? 0))
    return { refusal: error.violations[0].detail };
  throw error;
}
