/**
 * A command line, read before any command is known: what its words ask of the program itself. What they mean to a
 * command, the parser says by that command's options.
 */
export interface CommandLine {
  /** The words as the parser takes them: `help jobs list` as `jobs list --help`, and no words at all as `--help`. */
  words: readonly string[];
  /** The word of `help <word>`, which may be a topic or a command. */
  topic: string | null;
  /** Scripts ask for the version often, and for nothing else. */
  asksVersion: boolean;
  /** The form that -o or --output names: an error is told in it even where the options cannot be parsed. */
  form: string | null;
  noColour: boolean;
}

/** Reads the words that follow the program's name. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const [word, name = "", ...others] = argv;
  return {
    words: toParsedWords(argv),
    topic: word === "help" && /^[^-]/.test(name) && others.length === 0 ? name : null,
    asksVersion: word === "--version" || word === "-V",
    form: readForm(argv),
    noColour: argv.includes("--no-color"),
  };
}

function toParsedWords(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ["--help"];
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
}

function readForm(argv: readonly string[]): string | null {
  const at = argv.findIndex((word) => word === "-o" || word === "--output");
  const form = at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith("--output="))?.slice(9);
  return form ?? null;
}
