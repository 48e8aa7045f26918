import { type Command, CommanderError } from "commander";
import { type DispatchError, errorKind, exitCodes, failure, toDispatchError } from "../errors/errors.ts";
import { recordKinds } from "../records/record-kinds.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { toCommandTree, toWholeTree } from "./command-tree.ts";
import { builtinCommands } from "./commands/index.ts";
import { doesSomething, isGeneral } from "./common-options.ts";
import { type CliContext, type Screen, showsColour, sizeOf } from "./context.ts";
import type { GivenOption } from "./general-options.ts";
import { toHelpConfiguration } from "./help/command-help.ts";
import { foldHelp, helpColumnsMax } from "./help/fold-help.ts";
import { helpTopics } from "./help/topics.ts";
import { FailedCommand, nameOption } from "./input/failed-command.ts";
import type { Flag } from "./input/flags.ts";
import { AlreadyShown } from "./outcome/already-shown.ts";
import { errorBodyOf, exitCodeOf } from "./outcome/exit-code-of.ts";
import { tell, tellJson } from "./output/tell.ts";
import type { Program } from "./program.ts";

/** Runs one command line and gives its exit code; errors are told on stderr, never thrown. */
export async function runCommandLine(line: CommandLine, outer: CliContext): Promise<number> {
  const context = toContext(outer, line);
  try {
    if (await showTopic(line, context)) return exitCodes.done;
    const root = await createProgram(context).commandTree(line.words);
    prepare(root, context, line);
    await root.parseAsync(toParsedWords(root, line), { from: "user" });
    return exitCodes.done;
  } catch (error) {
    return tellFailure(line, context, error);
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
    ...recordKinds.map(({ noun }) => noun),
    ...builtinCommands.map((command) => command.name),
  ];
  if (commands.includes(name)) return false;
  const { didYouMean } = await import("../errors/nearest.ts");
  const suggestion = didYouMean(name, [...Object.keys(helpTopics), ...commands]);
  throw failure("usage", `There is no command and no topic ${name}.${suggestion}`);
}

/** The words for the parser: those up to the first unknown one, the general options behind the command that they are for. */
export function toParsedWords(root: Command, { given, words }: CommandLine): string[] {
  const { command, path } = findCommand(root, words);
  const unknown = words[path.length];
  // For `jobs lst --help` the parser would show the help of `jobs`.
  if (unknown !== undefined && !unknown.startsWith("-") && !doesSomething(command)) return [...path, unknown];
  return [...path, ...toGivenWords(command, path.length, given), ...words.slice(path.length)];
}

/** The command that words name, and those that are its name. */
function findCommand(root: Command, words: readonly string[]): { command: Command; path: string[] } {
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

/** What stands before the noun is never what a command alone means by an option of that name. */
function toGivenWords(command: Command, depth: number, given: readonly GivenOption[]): string[] {
  if (!doesSomething(command)) return [];
  const isMeant = (option: GivenOption) =>
    option.depth >= depth ||
    command.options.some((known) => known.long === `--${option.name}` && isGeneral(known));
  return given.filter(isMeant).flatMap(({ words }) => words);
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

async function tellFailure(line: CommandLine, context: CliContext, error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done;
    if (error.code === "commander.help") return exitCodes.invalid;
    return tellError(line, context, toUsageError(error));
  }
  if (isInterrupted(error)) return exitCodes.interrupted;
  if (error instanceof AlreadyShown) return error.exitCode;
  if (error instanceof FailedCommand) return tellError(line, context, error.failure, error.flags);
  return tellError(line, context, error);
}

function toUsageError({ message }: CommanderError): DispatchError {
  const text = message.replace(/^error: /, "").replaceAll("\n", " ");
  return failure("usage", `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? "" : "."}`);
}

/** Ctrl-C at a prompt. */
const isInterrupted = (error: unknown) => error instanceof Error && error.name === "ExitPromptError";

async function tellError(
  line: CommandLine,
  context: CliContext,
  error: unknown,
  flags: readonly Flag[] = [],
): Promise<number> {
  const { UnknownFieldError } = await import("./output/fields.ts");
  const { formatError } = await import("./output/error-text.ts");
  const colour = showsColour(context.stderr, context.env, line.noColour);
  if (error instanceof UnknownFieldError) {
    context.stderr.write(await formatError(error, { colour }));
    return exitCodes.invalid;
  }
  const { tellCures } = await import("./cures/tell-cures.ts");
  const known = await tellCures(toDispatchError(error));
  const body = errorBodyOf(known);
  if ((line.form ?? context.env.DISPATCH_OUTPUT) === "json") tellJson(context.stderr, body);
  else {
    const { fix } = errorKind(known.code);
    const errors = body.errors.map((violation) => nameOption(violation, flags));
    const view = { title: body.title, errors, hint: fix, requestId: body.request_id };
    context.stderr.write(await formatError(view, { colour }));
  }
  if (context.env.DISPATCH_DEBUG) for (const line of toStack(known).split("\n")) tell(context.stderr, line);
  return exitCodeOf(known);
}

function toStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : "";
  return `${error.stack}${cause}`;
}
