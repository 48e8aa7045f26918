import type { DispatchError } from "../../errors/errors.ts";
import type { JsonObject } from "../../models/json.ts";
import type { AnyOperationName } from "../../operations/index.ts";
import type { Change } from "./change.ts";
import type { View } from "./view.ts";

/** The additions of the terminal to an operation. All have defaults. */
export interface Presentation {
  /** Dotted paths, or names of `cells`. A field without `_id` shows that record's name. */
  columns?: readonly string[];
  /** `--fields` accepts these columns in every format. */
  cells?: Cells;
  /** Inner records whose names the cells need. */
  learns?: (records: readonly JsonObject[]) => Learned;
  card?: Card;
  tones?: Tones;
  /** Options without a value that set query parameters. */
  shorthands?: Readonly<Record<string, { summary: string; query: Readonly<Record<string, string>> }>>;
  /** The filter that matches a part of a name, unless its value has a `*` or --exact is given. */
  partly?: string;
  /** The list accepts --from and --to for scheduled times. */
  spans?: boolean;
  /** In a table or as IDs, the list shows open records, unless one of these parameters is given. */
  beginsOpen?: { unless: readonly string[] };
  /** --location also limits what the new user sees. Otherwise the path accepts any location. */
  limitsToLocation?: true;
  /** Optional fields about which a terminal always asks. */
  asks?: readonly string[];
  /** Optional fields that a terminal asks for; Enter skips them. */
  alsoAsks?: readonly string[];
  /** Options that the short help shows first. */
  common?: readonly string[];
  /** A command line without the program's name. Default: the required options. */
  example?: string;
  /** Shown after the options, at most 80 characters per line. */
  notes?: string;
  /** Confirms a write. Default: the changed fields. */
  told?: Told;
  /** A hint on stderr for the next step. */
  next?: (record: JsonObject) => string;
  /** The words after the command in an error: `dispatch-cli … changes it`. */
  cures?: (body: JsonObject) => string;
  /** The failure in a successful response, such as a failed ping. */
  failureIn?: (answer: JsonObject) => DispatchError | null;
  /** Commands that fix a part of the body, such as `jobs complete`. */
  verbs?: readonly VerbPresentation[];
}

export type Cells = Readonly<Record<string, (record: JsonObject, view: View) => string>>;

export interface Learned {
  fields: readonly string[];
  records: readonly JsonObject[];
}

export interface Card {
  leads: Cells;
  /** Fields in `leads`, which the rest of the card omits. */
  tells: readonly string[];
  /** Reference fields that the card shows by name. */
  names?: readonly string[];
}

export interface Told {
  tell: (change: Change, view: View) => string;
  /** The command reads the record before the change. */
  needsBefore?: true;
  names?: readonly string[];
  learns?: (change: Change) => Learned;
}

/** Column → word → tone. */
export type Tones = Readonly<Record<string, Readonly<Record<string, Tone>>>>;

export type Tone = "good" | "bad" | "busy" | "off";

/** `jobs complete 17` is `jobs update 17 --is-completed true`. */
export interface VerbPresentation {
  verb: string;
  summary: string;
  body: Readonly<Record<string, unknown>>;
  /** Other fields of the body, as options; `requires` are mandatory. */
  keeps: readonly string[];
  requires?: readonly string[];
  told?: Told;
  /** Asks for confirmation, like a deletion. */
  isSevere?: boolean;
  example?: string;
}

export type OperationNoun = AnyOperationName extends `${infer Noun}.${string}` ? Noun : never;

/** An unknown operation name does not compile. */
export type PresentationsOf<Noun extends OperationNoun> = Partial<
  Record<Extract<AnyOperationName, `${Noun}.${string}`>, Presentation>
>;
