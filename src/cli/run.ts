import { type Command, CommanderError } from "commander";
import { errorKind, exitCodes, failure, toDispatchError, type Violation } from "../errors/errors.ts";
import { recordKinds } from "../records/record-kinds.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { toCommandTree, toWholeTree } from "./command-tree.ts";
import { builtinCommands } from "./commands/index.ts";
import { doesSomething, isGeneral } from "./common-options.ts";
import { type CliContext, type Screen, showsColour, sizeOf } from "./context.ts";
import type { NamedCommand } from "./cures/usage-errors.ts";
import { type GivenOption, generalOptions, isUnfinished } from "./general-options.ts";
import { toHelpConfiguration } from "./help/command-help.ts";
import { foldHelp, helpColumnsMax } from "./help/fold-help.ts";
import { helpTopics } from "./help/topics.ts";
import { FailedCommand, nameOption } from "./input/failed-command.ts";
import type { Flag } from "./input/flags.ts";
import { AlreadyShown } from "./outcome/already-shown.ts";
import { errorBodyOf, exitCodeOf } from "./outcome/exit-code-of.ts";
import type { ErrorView } from "./output/error-text.ts";
import { tell, tellJson } from "./output/tell.ts";
import { serviceNouns } from "./presentation/service-nouns.ts";
import type { Program } from "./program.ts";

/** Runs one command line and gives its exit code; errors are told on stderr, never thrown. */
export async function runCommandLine(line: CommandLine, outer: CliContext): Promise<number> {
  const context = toContext(outer, line);
  let named: NamedCommand | null = null;
  try {
    if (await showTopic(line, context)) return exitCodes.done;
    const program = createProgram(context);
    const root = await program.commandTree(line.words);
    prepare(root, context, line);
    named = findCommand(root, line.words);
    await refuseWords(program, named, line);
    await root.parseAsync(toParsedWords(root, line), { from: "user" });
    return exitCodes.done;
  } catch (error) {
    return tellFailure(line, context, named, error);
  }
}

/** Options that stand for a variable hold for every command, also where none is loaded yet. */
function toContext(outer: CliContext, { noColour, noInput, noPager }: CommandLine): CliContext {
  if (!noColour && !noInput && !noPager) return outer;
  const env = {
    ...outer.env,
    ...(noColour && { NO_COLOR: "1" }),
    ...(noPager && { PAGER: "cat" }),
    ...(noInput && { CI: "1" }),
  };
  // Not spread: standard input is made when it is looked at. The copied descriptors are those of a context.
  const properties = { ...Object.getOwnPropertyDescriptors(outer), env: { value: env, enumerable: true } };
  return Object.defineProperties({}, properties) as CliContext;
}

/** The program in a context, for the commands that work on the program itself. */
export function createProgram(context: CliContext): Program {
  const program: Program = {
    commandTree: (words) => toCommandTree(context, program, words),
    wholeTree: () => toWholeTree(context, program),
    run: (argv, other) => runCommandLine(readCommandLine(argv), other),
  };
  return program;
}

/** Shows `help <topic>`; says whether it was that. */
async function showTopic({ topic: name }: CommandLine, context: CliContext): Promise<boolean> {
  if (name === null) return false;
  const topic = Object.hasOwn(helpTopics, name) ? helpTopics[name] : undefined;
  if (topic) {
    const { stdout } = context;
    const describe = await topic.load();
    const { createHelpWriter } = await import("./help/help-writer.ts");
    stdout.write(await describe(createHelpWriter(Math.min(sizeOf(stdout).columns, helpColumnsMax)), context));
    return true;
  }
  const commands = [
    ...[...recordKinds, ...serviceNouns].map(({ noun }) => noun),
    ...builtinCommands.map((command) => command.name),
  ];
  if (commands.includes(name)) return false;
  const { didYouMean } = await import("../errors/nearest.ts");
  const suggestion = didYouMean(name, [...Object.keys(helpTopics), ...commands]);
  throw failure("usage", `There is no command and no topic ${name}.${suggestion}`);
}

/** The words for the parser: the general options stand behind the command that they are for. */
export function toParsedWords(root: Command, { given, words }: CommandLine): string[] {
  const named = findCommand(root, words);
  const { length } = named.path;
  return [...words.slice(0, length), ...toGivenWords(named, given), ...words.slice(length)];
}

/** The command that words name, and those that are its name. */
function findCommand(root: Command, words: readonly string[]): NamedCommand {
  let command = root;
  const path: string[] = [];
  for (const word of words) {
    const next = command.commands.find((child) => child.name() === word);
    if (!next) break;
    command = next;
    path.push(word);
  }
  return { command, path };
}

/** Refuses what the parser would not look at where a noun stands alone: it would show the help of `jobs` for `jobs lst`. */
async function refuseWords(
  program: Program,
  named: NamedCommand,
  { given, words }: CommandLine,
): Promise<void> {
  if (!isNoun(named)) return;
  const next = words[named.path.length];
  const isUnknown = next !== undefined && !next.startsWith("-");
  const last = given.at(-1);
  const isOpen = last !== undefined && isUnfinished(last);
  if (!isUnknown && !isOpen) return;
  const { needsValue, unknownCommand } = await import("./cures/usage-errors.ts");
  if (isUnknown) throw await unknownCommand(program, named, words);
  if (last) throw needsValue(generalOptions[last.name].flags);
}

/** Whether a command does nothing without a verb. */
function isNoun({ command, path }: NamedCommand): boolean {
  const builtin = builtinCommands.find(({ name }) => name === path[0]);
  return !doesSomething(command) && builtin?.hasDefaultVerb !== true;
}

/** What stands before the noun is never what a command alone means by an option of that name. */
function toGivenWords(named: NamedCommand, given: readonly GivenOption[]): string[] {
  if (isNoun(named)) return [];
  const { command, path } = named;
  const isOwn = ({ name }: GivenOption) =>
    command.options.some((known) => known.long === `--${name}` && !isGeneral(known));
  return given
    .filter((option) => option.depth >= path.length || !isOwn(option))
    .flatMap(({ words }) => words);
}

/** Keeps the parser from ending the process and from writing past the context's streams. */
function prepare(command: Command, context: CliContext, { asksAllHelp }: CommandLine): void {
  const columnsOf = (screen: Screen) => Math.min(sizeOf(screen).columns, helpColumnsMax);
  const configuration = toHelpConfiguration(asksAllHelp);
  const prepareOne = (one: Command): void => {
    one
      .exitOverride()
      .optionsGroup("Options:")
      .helpOption("-h, --help", "show this help")
      .configureOutput({
        writeOut: (text) => context.stdout.write(foldHelp(text, columnsOf(context.stdout))),
        // tellFailure writes errors. All else that comes here is the help of a noun that stands alone.
        writeErr: (text) =>
          void (text.startsWith("Usage:") && context.stderr.write(foldHelp(text, columnsOf(context.stderr)))),
        getOutHelpWidth: () => columnsOf(context.stdout),
        getErrHelpWidth: () => columnsOf(context.stderr),
        getOutHasColors: () => showsColour(context.stdout, context.env, false),
      })
      .configureHelp({ ...configuration, ...one.configureHelp() })
      .showSuggestionAfterError(true);
    for (const child of one.commands) prepareOne(child);
  };
  prepareOne(command);
}

async function tellFailure(
  line: CommandLine,
  context: CliContext,
  named: NamedCommand | null,
  error: unknown,
): Promise<number> {
  const path = named?.path ?? [];
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done;
    if (error.code === "commander.help" || named === null) return exitCodes.invalid;
    const { refusedWords } = await import("./cures/usage-errors.ts");
    return tellError(line, context, path, refusedWords(error, named));
  }
  if (isInterrupted(error)) return exitCodes.interrupted;
  if (error instanceof AlreadyShown) return error.exitCode;
  if (error instanceof FailedCommand) return tellError(line, context, path, error.failure, error.flags);
  return tellError(line, context, path, error);
}

/** Ctrl-C at a prompt. */
const isInterrupted = (error: unknown) => error instanceof Error && error.name === "ExitPromptError";

async function tellError(
  line: CommandLine,
  context: CliContext,
  path: readonly string[],
  error: unknown,
  flags: readonly Flag[] = [],
): Promise<number> {
  const { UnknownFieldError } = await import("./output/fields.ts");
  const { formatError } = await import("./output/error-text.ts");
  const look = {
    colour: showsColour(context.stderr, context.env, line.noColour),
    ...(context.stderr.isTTY && { columns: sizeOf(context.stderr).columns }),
  };
  if (error instanceof UnknownFieldError) {
    context.stderr.write(await formatError(error, look));
    return exitCodes.invalid;
  }
  const { tellCures } = await import("./cures/tell-cures.ts");
  const known = await tellCures(toDispatchError(error));
  const { logsJson, toFailureLine } = await import("./start-failure.ts");
  if (logsJson(line, path, context)) {
    tellJson(context.stderr, toFailureLine(known, Boolean(context.env.DISPATCH_DEBUG)));
    return exitCodeOf(known);
  }
  const body = errorBodyOf(known);
  if ((line.form ?? context.env.DISPATCH_OUTPUT) === "json") tellJson(context.stderr, body);
  else {
    const errors = body.errors.map((violation) => nameOption(violation, flags));
    const { fix = errorKind(known.code).fix } = known.violations[0];
    const view = { title: body.title, errors, hint: fix, requestId: body.request_id };
    const shown = known.code === "usage" ? toUsageView(view, known.violations[0], path) : view;
    context.stderr.write(await formatError(shown, look));
  }
  if (context.env.DISPATCH_DEBUG) for (const line of toStack(known).split("\n")) tell(context.stderr, line);
  return exitCodeOf(known);
}

/** Of a command line that cannot be used the first line says why, and the last what to do about this very one (OP-252). */
function toUsageView(view: ErrorView, { detail, fix }: Violation, path: readonly string[]): ErrorView {
  const [, what = detail, guess] = /^(.*?)(?: (Did you mean .*\?))?$/s.exec(detail) ?? [];
  const title = (fix === undefined ? what : detail.slice(0, -fix.length)).trim();
  const hint = fix ?? guess ?? `\`${["dispatch-cli", ...path, "--help"].join(" ")}\` shows what it takes.`;
  return view.errors.length === 1 ? { ...view, title, errors: [], hint } : view;
}

function toStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : "";
  return `${error.stack}${cause}`;
}
