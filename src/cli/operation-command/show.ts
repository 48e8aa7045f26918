import type { Operation } from "../../core/operation.ts";
import { type DispatchError, exitCodes, failure } from "../../errors/errors.ts";
import { errorBodyOf } from "../../errors/told-error.ts";
import type { JsonObject } from "../../models/json.ts";
import { kindOfList, kindOfOperation } from "../../records/find-kind.ts";
import type { Noun } from "../../records/record-kinds.ts";
import type { CliContext } from "../context.ts";
import { AlreadyShown } from "../outcome/already-shown.ts";
import { exitCodeOf } from "../outcome/exit-code-of.ts";
import type { OutputOptions } from "../output/options.ts";
import { showAnswer } from "../output/show.ts";
import { say, tell, tellJson } from "../output/tell.ts";
import { writeDocument } from "../output/write-out.ts";
import type { Presentation } from "../presentation/presentation.ts";
import type { Changes } from "../target/changes.ts";
import type { Target } from "../target/target.ts";
import type { CommandResult } from "./call.ts";
import { isTold, type ParsedCommand } from "./parse.ts";

/** Throws if the response reports a failure. */
export async function showResult(
  context: CliContext,
  command: ParsedCommand,
  result: CommandResult,
  before: JsonObject | null,
  target: Target,
): Promise<void> {
  const { operation, options, output } = command;
  if (result.kind === "file")
    return writeDocument(context, result.bytes, toDocumentName(command), options.out);
  if (output === null) throw new Error(`${operation.name} answers with a file.`);
  const hasPager = options.pager !== false;
  switch (result.kind) {
    case "pages": {
      const { showAll } = await import("../lists/show-all.ts");
      return showAll(context, result.pages, output, hasPager);
    }
    case "watched": {
      const { watchList } = await import("../lists/watch-list.ts");
      return watchList(context, result.read, output, await openListChanges(operation, target));
    }
    case "each": {
      const { label } = kindOfOperation(operation.name);
      const tellOne = (text: string) => tellDone(command, text, null);
      return showEach(context, label, result, output, tellOne).finally(() => tellDryRun(context, command));
    }
    case "json":
      if (options.etag === true) return showTag(context, result);
      await showDone(context, command, result.text, before);
      tellNext(context, command, output, result.text);
      tellDryRun(context, command);
      return throwFailure(command.presentation, result.text);
  }
}

const told: ReadonlySet<string> = new Set<Noun>([
  "addresses",
  "contacts",
  "customer-locations",
  "customers",
  "events",
  "jobs",
  "trucks",
]);

/** null for a list whose changes create no events. */
async function openListChanges({ name }: Operation, target: Target): Promise<Changes | null> {
  if (!told.has((kindOfList(name) ?? kindOfOperation(name)).noun)) return null;
  const { openChanges } = await import("../target/changes.ts");
  return openChanges(target);
}

async function showDone(
  context: CliContext,
  command: ParsedCommand,
  text: string,
  before: JsonObject | null,
): Promise<void> {
  const line = await tellDone(command, text, before);
  if (line !== null) return say(context.stdout, line);
  if (command.output) await showAnswer(context, text, command.output, command.options.pager !== false);
}

/** null if the record is shown instead. */
async function tellDone(
  command: ParsedCommand,
  text: string,
  before: JsonObject | null,
): Promise<string | null> {
  if (!isTold(command)) return null;
  const { tellAnswer } = await import("./tell-change.ts");
  return tellAnswer(command, text, before);
}

/** `job-list-7.pdf`: the server must not choose the file's name. */
function toDocumentName({ operation, own }: ParsedCommand): string {
  const verb = operation.name.split(".").at(-1)?.replace(/-pdf$/, "");
  return `${[verb, ...(own?.ids ?? [])].join("-").replace(/[^\w-]/g, "_")}.pdf`;
}

function showTag({ stdout }: CliContext, { etag }: { etag: string | null }): void {
  if (!etag) throw failure("usage", "This answer has no entity tag. Read the record to get its tag.");
  tell(stdout, etag);
}

function tellNext(
  { stderr }: CliContext,
  { dryRun, presentation: { next } }: ParsedCommand,
  { form }: OutputOptions,
  text: string,
): void {
  if (next && form === "table" && !dryRun) say(stderr, next(JSON.parse(text) as JsonObject));
}

function tellDryRun({ stderr }: CliContext, { dryRun }: ParsedCommand): void {
  if (dryRun) tell(stderr, "dry run: nothing was stored");
}

/** The exit code shows a failure that a successful response reports. */
function throwFailure({ failureIn }: Presentation, text: string): void {
  const refused = failureIn?.(JSON.parse(text) as JsonObject);
  if (refused) throw refused;
}

/** Successes go to stdout, errors to stderr. Throws AlreadyShown with the first error's exit code. */
async function showEach(
  context: CliContext,
  label: string,
  { ids, isAtomic, outcomes }: Extract<CommandResult, { kind: "each" }>,
  output: OutputOptions,
  tellOne: (text: string) => Promise<string | null>,
): Promise<void> {
  const texts: string[] = [];
  let firstCode: number = exitCodes.done;
  let tried = 0;
  for await (const outcome of outcomes) {
    tried += 1;
    if ("error" in outcome) {
      tellError(context, label, outcome, output);
      firstCode ||= exitCodeOf(outcome.error);
    } else {
      texts.push(outcome.text);
      if (output.form === "table")
        tell(context.stdout, (await tellOne(outcome.text)) ?? `${label} ${outcome.id}: done`);
    }
  }
  const isUndone = isAtomic && firstCode !== exitCodes.done;
  if (isUndone) tell(context.stderr, "Nothing was changed.");
  else if (tried < ids.length) tell(context.stderr, `Not tried: ${ids.slice(tried).join(" ")}`);
  if (output.form !== "table") await showAnswer(context, `[${texts.join(",")}]`, output, false);
  if (firstCode === exitCodes.done) return;
  if (output.form === "table" && !isAtomic) tell(context.stderr, `${texts.length} of ${ids.length} done.`);
  throw new AlreadyShown(firstCode);
}

function tellError(
  { stderr }: CliContext,
  label: string,
  { id, error }: { id: string; error: DispatchError },
  { form }: OutputOptions,
): void {
  const body = errorBodyOf(error);
  if (form === "json") tellJson(stderr, { ...body, id });
  else for (const { detail } of body.errors) tell(stderr, `error: ${label} ${id}: ${detail}`);
}
