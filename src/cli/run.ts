import { type Command, CommanderError, Option } from "commander";
import { errorKind, exitCodes, failure, toDispatchError, type Violation } from "../errors/errors.ts";
import { errorBodyOf } from "../errors/told-error.ts";
import { recordKinds, serviceNouns } from "../records/record-kinds.ts";
import { toCommandTree, toWholeTree } from "./command-tree.ts";
import { builtinCommands } from "./commands/index.ts";
import { doesSomething, findForm, type SplitWords, splitGeneralOptions } from "./common-options.ts";
import { type CliContext, type Screen, showsColor, sizeOf } from "./context.ts";
import type { NamedCommand } from "./cures/usage-errors.ts";
import { toHelpConfiguration } from "./help/command-help.ts";
import { helpColumnsMax } from "./help/fold-help.ts";
import { helpTopics } from "./help/topics.ts";
import { FailedCommand, nameOption } from "./input/failed-command.ts";
import type { Flag } from "./input/flags.ts";
import { AlreadyShown } from "./outcome/already-shown.ts";
import { exitCodeOf } from "./outcome/exit-code-of.ts";
import type { ErrorView } from "./output/error-text.ts";
import { tell, tellJson } from "./output/tell.ts";
import type { Program } from "./program.ts";

/** Returns the exit code. Reports errors on stderr and never throws. */
export async function runCommandLine(argv: readonly string[], outer: CliContext): Promise<number> {
  const split = splitGeneralOptions(argv);
  const [word, ...rest] = split.words;
  const { asked, context } = openAsked(outer, split);
  const line: Line = { argv, asked, named: { command: null, path: [] } };
  try {
    if (word === "help") {
      if (rest.join(" ") === "commands") return runCommandLine([...split.given, "--help-all"], outer);
      if (await showTopic(rest, context)) return exitCodes.done;
      return runCommandLine([...split.given, ...rest, "--help"], outer);
    }
    const program = createProgram(context);
    const root = await program.commandTree(split.words);
    prepare(root, context, asked);
    const named = findCommand(root, split.words);
    line.named = named;
    await refuseWord(program, named, split.words);
    await root.parseAsync(argv.length === 0 ? ["--help"] : argv, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    return tellFailure(line, context, error);
  }
}

interface Line {
  argv: readonly string[];
  asked: Asked;
  named: NamedCommand | { command: null; path: readonly string[] };
}

interface Asked {
  form: string | null;
  env: Record<string, string | undefined>;
}

/** Handles the program's options, some of which set a variable. */
function openAsked(outer: CliContext, { form }: SplitWords): { asked: Asked; context: CliContext } {
  const env = { ...outer.env };
  // Copies descriptors, because reading `stdin` opens it.
  const properties = { ...Object.getOwnPropertyDescriptors(outer), env: { value: env, enumerable: true } };
  return { asked: { env, form }, context: Object.defineProperties({}, properties) as CliContext };
}

/** Options that set a variable, even for a command that is not loaded. */
const variables = {
  "no-color": ["NO_COLOR", "1"],
  "no-input": ["CI", "1"],
  "no-pager": ["PAGER", "cat"],
} as const;

export function createProgram(context: CliContext): Program {
  const program: Program = {
    commandTree: (words) => toCommandTree(context, program, words),
    wholeTree: () => toWholeTree(context, program),
    run: runCommandLine,
  };
  return program;
}

/** Returns false for an unknown topic. */
async function showTopic([name = "", ...others]: readonly string[], context: CliContext): Promise<boolean> {
  if (!/^[^-]/.test(name) || others.length > 0) return false;
  const topic = Object.hasOwn(helpTopics, name) ? helpTopics[name] : undefined;
  if (topic) {
    const { stdout } = context;
    const describe = await topic.load();
    const { createHelpWriter } = await import("./help/fold-help.ts");
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
  throw failure("usage", `Unknown command or topic ${name}.${suggestion}`);
}

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

/** The parser would show the help of `jobs` for `jobs lst --help`. */
async function refuseWord(program: Program, named: NamedCommand, words: readonly string[]): Promise<void> {
  const word = words[named.path.length];
  if (!isNoun(named) || word === undefined || word.startsWith("-")) return;
  const { unknownCommand } = await import("./cures/usage-errors.ts");
  throw await unknownCommand(program, named, words);
}

function isNoun({ command, path }: NamedCommand): boolean {
  const builtin = builtinCommands.find(({ name }) => name === path[0]);
  return !doesSomething(command) && builtin?.hasDefaultVerb !== true;
}

/** Keeps the parser from ending the process or writing outside of the context's streams. */
function prepare(command: Command, context: CliContext, asked: Asked): void {
  const columnsOf = (screen: Screen) => Math.min(sizeOf(screen).columns, helpColumnsMax);
  const prepareOne = (one: Command): void => {
    const own = one.configureHelp();
    one
      .exitOverride()
      .optionsGroup("Options:")
      .helpOption("-h, --help", "show this help")
      .configureOutput({
        writeOut: (text) => context.stdout.write(text),
        // tellFailure writes errors. Only the help of a noun arrives here.
        writeErr: (text) => void (text.startsWith("Usage:") && context.stderr.write(text)),
        getOutHelpWidth: () => columnsOf(context.stdout),
        getErrHelpWidth: () => columnsOf(context.stderr),
        getOutHasColors: () => showsColor(context.stdout, context.env, false),
      })
      .configureHelp({ ...toHelpConfiguration(false), ...own })
      .showSuggestionAfterError(true)
      .addOption(new Option("--help-all").hideHelp())
      .on("option:help-all", () => {
        one.configureHelp({ ...toHelpConfiguration(true), ...own }).outputHelp();
        throw new AlreadyShown(exitCodes.done);
      })
      .on("option:output", (form: string) => {
        asked.form = form;
      });
    for (const [name, [variable, value]] of Object.entries(variables))
      one.on(`option:${name}`, () => {
        asked.env[variable] = value;
      });
    for (const child of one.commands) prepareOne(child);
  };
  prepareOne(command);
}

async function tellFailure(line: Line, context: CliContext, error: unknown): Promise<number> {
  const { named } = line;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done;
    if (error.code === "commander.help" || named.command === null) return exitCodes.invalid;
    const { refusedWords } = await import("./cures/usage-errors.ts");
    return tellError(line, context, refusedWords(error, named));
  }
  if (isInterrupted(error)) return exitCodes.interrupted;
  if (error instanceof AlreadyShown) return error.exitCode;
  if (error instanceof FailedCommand) return tellError(line, context, error.failure, error.flags);
  return tellError(line, context, error);
}

/** Ctrl-C at a prompt. */
const isInterrupted = (error: unknown) => error instanceof Error && error.name === "ExitPromptError";

async function tellError(
  { argv, asked, named: { path } }: Line,
  context: CliContext,
  error: unknown,
  flags: readonly Flag[] = [],
): Promise<number> {
  const { UnknownFieldError } = await import("./output/fields.ts");
  const { formatError } = await import("./output/error-text.ts");
  const look = {
    color: showsColor(context.stderr, context.env, false),
    ...(context.stderr.isTTY && { columns: sizeOf(context.stderr).columns }),
  };
  if (error instanceof UnknownFieldError) {
    context.stderr.write(await formatError(error, look));
    return exitCodes.invalid;
  }
  const { tellCures } = await import("./cures/tell-cures.ts");
  const known = await tellCures(toDispatchError(error));
  const { logsJson, toFailureLine } = await import("./start-failure.ts");
  if (logsJson(argv, path, context)) {
    tellJson(context.stderr, toFailureLine(known, Boolean(context.env.DISPATCH_DEBUG)));
    return exitCodeOf(known);
  }
  const body = errorBodyOf(known);
  // The parser stops at an error, and the format may follow it.
  const form = asked.form ?? findForm(argv) ?? context.env.DISPATCH_OUTPUT;
  if (form === "json") tellJson(context.stderr, body);
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

function toUsageView(view: ErrorView, { detail, fix }: Violation, path: readonly string[]): ErrorView {
  const [, what = detail, guess] = /^(.*?)(?: (Did you mean .*\?))?$/s.exec(detail) ?? [];
  const title = (fix === undefined ? what : detail.slice(0, -fix.length)).trim();
  const hint = fix ?? guess ?? `\`${["dispatch-cli", ...path, "--help"].join(" ")}\` shows its options.`;
  return view.errors.length === 1 ? { ...view, title, errors: [], hint } : view;
}

function toStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : "";
  return `${error.stack}${cause}`;
}
