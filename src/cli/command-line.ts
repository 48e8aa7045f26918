import { type GivenOption, splitGeneralOptions } from "./general-options.ts";

/**
 * A command line, read before any command is known: what its words ask of the program itself. What they mean to a
 * command, the parser says by that command's options.
 */
export interface CommandLine {
  /**
   * The words as the parser takes them, without the general options before the verb: `help jobs list` as
   * `jobs list --help`, and no words at all as `--help`.
   */
  words: readonly string[];
  /** The general options that stand before the verb. */
  given: readonly GivenOption[];
  /** The word of `help <word>`, which may be a topic or a command. */
  topic: string | null;
  /** Scripts ask for the version often, and for nothing else. */
  asksVersion: boolean;
  /** The help is to describe the common options too. */
  asksAllHelp: boolean;
  /** The form that -o or --output names: an error is told in it even where the options cannot be parsed. */
  form: string | null;
  noColour: boolean;
  noPager: boolean;
  noInput: boolean;
}

/** Reads the words that follow the program's name. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { given, words } = splitGeneralOptions(argv);
  const [word, name = "", ...others] = words;
  const options = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  return {
    words: toParsedWords(words),
    given,
    topic: word === "help" && /^[^-]/.test(name) && others.length === 0 ? name : null,
    asksVersion: word === "--version" || word === "-V",
    asksAllHelp: options.includes("--help-all"),
    form: readForm(options),
    noColour: options.includes("--no-color"),
    noPager: options.includes("--no-pager"),
    noInput: options.includes("--no-input"),
  };
}

function toParsedWords(words: readonly string[]): readonly string[] {
  if (words.length === 0) return ["--help"];
  const parsed = words[0] === "help" ? [...words.slice(1), "--help"] : words;
  return parsed.map((word) => (word === "--help-all" ? "--help" : word));
}

/** The last one counts, as for the parser. */
function readForm(words: readonly string[]): string | null {
  const forms = words.flatMap((word, at) => {
    if (word === "-o" || word === "--output") return words[at + 1] ?? [];
    return /^(?:-o|--output=)(.+)$/.exec(word)?.[1] ?? [];
  });
  return forms.at(-1) ?? null;
}
