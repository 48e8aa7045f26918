import type { ScheduledRequest } from "../../board/scheduled-jobs.ts";
import { untyped, type WalkedPage } from "../../client/client.ts";
import { accessOf, isDocument, type Operation } from "../../core/operation.ts";
import { DispatchError, exitCodes } from "../../errors/errors.ts";
import type { ApiVersion } from "../../models/api-versions.ts";
import type { CommandInput } from "../input/input.ts";
import { exitCodeOf } from "../outcome/exit-code-of.ts";
import type { Target } from "../target/target.ts";
import type { EachOutcome } from "./call-atomically.ts";
import type { ParsedCommand } from "./parse.ts";

export interface CallRequest extends CommandInput {
  dryRun: boolean;
  ifMatch?: string | undefined;
  version: ApiVersion;
}

/** JSON with the record's entity tag, or a file. */
export type CallAnswer =
  | { kind: "json"; text: string; etag: string | null }
  | { kind: "file"; bytes: Uint8Array };

/** A response, or a source of several: pages of a list, the same list repeatedly, or outcomes for several records. */
export type CommandResult =
  | CallAnswer
  | { kind: "pages"; pages: AsyncGenerator<WalkedPage> }
  | { kind: "watched"; read: () => Promise<string> }
  | { kind: "each"; ids: readonly string[]; isAtomic: boolean; outcomes: AsyncGenerator<EachOutcome> };

/** Throws the refusal of a single call. */
export async function callCommand(command: ParsedCommand, target: Target): Promise<CommandResult> {
  const { operation, input, options, own, version, dryRun } = command;
  const request = { ...input, version, dryRun, ifMatch: toIfMatch(options.ifMatch) };
  if (command.scheduled) return callScheduled(command, target, { ...request, ...command.scheduled });
  if (options.all === true) {
    const query = {
      ...input.query,
      ...(operation.reads.listing?.order === "schedule" && inListOrder(input.query)),
    };
    return { kind: "pages", pages: untyped(target.client).walk(operation.name, { ...request, query }) };
  }
  if (options.watch === true)
    return { kind: "watched", read: async () => toJsonText(await call(target, operation, request)) };
  if (own === null || own.ids.length <= 1) return call(target, operation, request);
  if (options.atomic === true) {
    const { callAtomically, requireAtOnce } = await import("./call-atomically.ts");
    requireAtOnce(own);
    const outcomes = callAtomically(target.client, operation, request, own);
    return { kind: "each", ids: own.ids, isAtomic: true, outcomes };
  }
  const callOne = async (id: string) => {
    const { error, params } = { error: null, params: {}, ...own.records.get(id) };
    if (error) throw error;
    return call(target, operation, { ...request, params: { ...input.params, ...params, [own.param]: id } });
  };
  return { kind: "each", ids: own.ids, isAtomic: false, outcomes: callEach(own.ids, callOne) };
}

/** People read jobs in the order of the list. A client would read them by ID. */
const inListOrder = ({ order }: CommandInput["query"]) => ({ order: order ?? "schedule" });

async function call(target: Target, operation: Operation, request: CallRequest): Promise<CallAnswer> {
  if (target.store && accessOf(operation) === "store") {
    const { ifMatch: _, ...input } = request;
    const { callInStore } = await import("../../core/call-in-store.ts");
    return { kind: "json", text: await callInStore(target.store.service, operation, input), etag: null };
  }
  const { bytes, etag } = await untyped(target.client).exchange(operation.name, request);
  if (isDocument(operation.output)) return { kind: "file", bytes };
  return { kind: "json", text: new TextDecoder().decode(bytes), etag };
}

/** Reads the list by schedule, because lists have no filter for a span. */
async function callScheduled(
  { operation, options }: ParsedCommand,
  { client }: Target,
  request: ScheduledRequest,
): Promise<CommandResult> {
  const { readScheduledPage, walkScheduled } = await import("../../board/scheduled-jobs.ts");
  if (options.all === true) return { kind: "pages", pages: walkScheduled(client, operation, request) };
  const read = () => readScheduledPage(client, operation, request);
  return options.watch === true
    ? { kind: "watched", read }
    : { kind: "json", text: await read(), etag: null };
}

/** Restores the quotes of an entity tag, which shells remove. */
function toIfMatch(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  return given === "*" || given.includes('"') ? given : `"${given}"`;
}

const toJsonText = (answer: CallAnswer) => (answer.kind === "json" ? answer.text : "");

/** Calls in sequence. An error stops the others only if all would fail. */
async function* callEach(
  ids: readonly string[],
  callOne: (id: string) => Promise<CallAnswer>,
): AsyncGenerator<EachOutcome> {
  for (const id of ids) {
    try {
      const answer = await callOne(id);
      if (answer.kind === "file") throw new Error("Only records are changed one after the other.");
      yield { id, text: answer.text };
    } catch (error) {
      if (!(error instanceof DispatchError)) throw error;
      yield { id, error };
      if (endsAll.includes(exitCodeOf(error))) return;
    }
  }
}

/** Errors that would be the same for every record. */
const endsAll: readonly number[] = [exitCodes.unauthenticated, exitCodes.limited, exitCodes.unreachable];
