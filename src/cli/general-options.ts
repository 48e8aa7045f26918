import { dateOrders } from "../local-time/date-order.ts";
import { apiVersions } from "../models/api-versions.ts";
import { outputForms } from "./output/options.ts";

/** An option of the program itself, as the parser takes it and the help tells it. */
export interface GeneralOption {
  flags: string;
  about: string;
  choices?: readonly string[];
  /** Few commands need it, and `help environment` tells of it. */
  isRare?: true;
}

/**
 * The options that every command takes, before its noun as well as after it, so that a wrapper can always pass them
 * (OP-251). Where one has no meaning it does nothing.
 */
export const generalOptions = {
  utc: { flags: "--utc", about: "read and show times as UTC, not as at the location" },
  "date-order": {
    flags: "--date-order <order>",
    about: `how 12/1 is read: ${dateOrders.join(", ")}; by default as in the country`,
    choices: dateOrders,
  },
  profile: {
    flags: "--profile <name>",
    about: "use this saved target (DISPATCH_PROFILE); `profiles list` shows them",
  },
  data: { flags: "--data <store>", about: "work on this store, a file or postgres://… (DISPATCH_DATA)" },
  url: {
    flags: "--url <address>",
    about: "work on this server (DISPATCH_URL); its token comes from DISPATCH_TOKEN or --token-file",
  },
  "token-file": {
    flags: "--token-file <file>",
    about: "file that holds the server's token, - for standard input",
  },
  insecure: {
    flags: "--insecure",
    about: "do not warn where the token goes to another machine over plain http",
  },
  tenant: {
    flags: "--tenant <name>",
    about: "tenant, by id or name (DISPATCH_TENANT); by default the only one",
  },
  as: {
    flags: "--as <username>",
    about: "act as this user of the store (DISPATCH_AS); by default the tenant's owner",
  },
  location: {
    flags: "--location <name>",
    about:
      "location of what no record tells it of, by id or name (DISPATCH_LOCATION); by default the only one",
  },
  "secret-key-file": {
    flags: "--secret-key-file <file>",
    about: "file that holds the key of a store's webhook secrets",
    isRare: true,
  },
  output: {
    flags: "-o, --output <form>",
    about: `${outputForms.join(", ")} (DISPATCH_OUTPUT)`,
    choices: outputForms,
  },
  fields: { flags: "--fields <names>", about: "show these fields only, separated by commas" },
  "api-version": {
    flags: "--api-version <version>",
    about: `shape of the answer (DISPATCH_API_VERSION): ${apiVersions.join(", ")}`,
    choices: apiVersions,
  },
  "no-color": { flags: "--no-color", about: "show no colours (NO_COLOR)" },
  "no-pager": { flags: "--no-pager", about: "show a long table at once (PAGER names the pager)" },
  "no-input": { flags: "--no-input", about: "never ask; what is missing is an error (CI)" },
  yes: { flags: "--yes", about: "answer yes before what is severe is done" },
} as const satisfies Record<string, GeneralOption>;

/** The name of a general option, without its dashes. */
export type GeneralOptionName = keyof typeof generalOptions;

export const generalOptionNames = Object.keys(generalOptions) as readonly GeneralOptionName[];

/** A general option as a command line gives it: its word, and that of its value where it stands apart. */
export interface GivenOption {
  name: GeneralOptionName;
  words: readonly string[];
  /** How many words of the command stand before it: 0 before the noun, 1 between noun and verb. */
  depth: number;
}

/** What the words of a command line are without the general options that stand before the verb. */
export interface SplitWords {
  words: readonly string[];
  given: readonly GivenOption[];
}

/** Takes the general options out that stand before the verb; what follows the verb stays as it is. */
export function splitGeneralOptions(argv: readonly string[]): SplitWords {
  const path: string[] = [];
  const given: GivenOption[] = [];
  let at = 0;
  while (at < argv.length && path.length < 2) {
    const word = argv[at] ?? "";
    const name = findName(word);
    if (name !== null) {
      const count = takesNextWord(word, name) ? 2 : 1;
      given.push({ name, words: argv.slice(at, at + count), depth: path.length });
      at += count;
    } else {
      if (word.startsWith("-")) break;
      path.push(word);
      at += 1;
    }
  }
  return { words: [...path, ...argv.slice(at)], given };
}

/** Whether the value of a given option is still to come: its word is the last one of the line. */
export function isUnfinished({ name, words: [word = "", ...rest] }: GivenOption): boolean {
  return rest.length === 0 && takesNextWord(word, name);
}

function findName(word: string): GeneralOptionName | null {
  // -o json, -ojson, --output json, --output=json
  if (/^-o/.test(word)) return "output";
  const [, name = ""] = /^--([a-z-]+)(?:=|$)/s.exec(word) ?? [];
  return generalOptionNames.find((known) => known === name) ?? null;
}

function takesNextWord(word: string, name: GeneralOptionName): boolean {
  return generalOptions[name].flags.endsWith(">") && (word === "-o" || word === `--${name}`);
}
