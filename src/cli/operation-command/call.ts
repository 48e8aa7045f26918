import type { CallAnswer, Caller } from "../../core/caller.ts";
import type { WalkedPage } from "../../core/lists/walk-records.ts";
import { DispatchError, exitCodes } from "../../errors/errors.ts";
import type { ScheduledRequest } from "../lists/scheduled-jobs.ts";
import { exitCodeOf } from "../outcome/exit-code-of.ts";
import type { EachOutcome } from "./each-outcome.ts";
import type { ParsedCommand } from "./parse.ts";

/**
 * What came of a command's call: one answer, or what gives several while they are shown: the pages of a list, the same
 * list again and again, or the outcome for each of several records.
 */
export type CommandResult =
  | CallAnswer
  | { kind: "pages"; pages: AsyncGenerator<WalkedPage> }
  | { kind: "watched"; read: () => Promise<string> }
  | { kind: "each"; ids: readonly string[]; isAtomic: boolean; outcomes: AsyncGenerator<EachOutcome> };

/** Calls the operation that a command stands for; throws what a single call is refused with. */
export async function callCommand(command: ParsedCommand, caller: Caller): Promise<CommandResult> {
  const { operation, input, options, own, version, dryRun } = command;
  const request = { ...input, version, dryRun, ifMatch: toIfMatch(options.ifMatch) };
  if (command.scheduled) return callScheduled(command, caller, { ...request, ...command.scheduled });
  if (options.all === true) {
    const { walkPages } = await import("../../core/lists/walk-records.ts");
    return { kind: "pages", pages: walkPages(caller, operation, request) };
  }
  if (options.watch === true)
    return { kind: "watched", read: async () => toJsonText(await caller.call(operation, request)) };
  if (own === null || own.ids.length <= 1) return caller.call(operation, request);
  if (options.atomic === true) {
    const { callAtomically, requireAtOnce } = await import("./call-atomically.ts");
    requireAtOnce(own);
    const outcomes = callAtomically(caller, operation, request, own);
    return { kind: "each", ids: own.ids, isAtomic: true, outcomes };
  }
  const callOne = async (id: string) => {
    const { error, params } = { error: null, params: {}, ...own.records.get(id) };
    if (error) throw error;
    return caller.call(operation, { ...request, params: { ...input.params, ...params, [own.param]: id } });
  };
  return { kind: "each", ids: own.ids, isAtomic: false, outcomes: callEach(own.ids, callOne) };
}

/** Calls a list for what is planned in a span, which no filter of its own says. */
async function callScheduled(
  { operation, options }: ParsedCommand,
  caller: Caller,
  request: ScheduledRequest,
): Promise<CommandResult> {
  const { readScheduledPage, walkScheduled } = await import("../lists/scheduled-jobs.ts");
  if (options.all === true) return { kind: "pages", pages: walkScheduled(caller, operation, request) };
  const read = () => readScheduledPage(caller, operation, request);
  return options.watch === true ? { kind: "watched", read } : { kind: "json", text: await read() };
}

/** As the header has it. In a shell the quotes of an entity tag are easily lost, and are put around it again. */
function toIfMatch(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  return given === "*" || given.includes('"') ? given : `"${given}"`;
}

const toJsonText = (answer: CallAnswer) => (answer.kind === "json" ? answer.text : "");

/**
 * Calls for one record after the other. An error of one does not hold back the others, unless it would be that of all.
 */
async function* callEach(
  ids: readonly string[],
  call: (id: string) => Promise<CallAnswer>,
): AsyncGenerator<EachOutcome> {
  for (const id of ids) {
    try {
      const answer = await call(id);
      if (answer.kind === "file") throw new Error("Only records are changed one after the other.");
      yield { id, text: answer.text };
    } catch (error) {
      if (!(error instanceof DispatchError)) throw error;
      yield { id, error };
      if (endsAll.includes(exitCodeOf(error))) return;
    }
  }
}

/** What is wrong then is wrong for every record. */
const endsAll: readonly number[] = [exitCodes.unauthenticated, exitCodes.limited, exitCodes.unreachable];
