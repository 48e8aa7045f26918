import type { DispatchError } from "../../errors/errors.ts";
import type { JsonObject } from "../../models/json.ts";
import type { AnyOperationName } from "../../operations/index.ts";
import type { Change } from "./change.ts";
import type { View } from "./view.ts";

/** The additions of the terminal to an operation. Everything has a default. */
export interface Presentation {
  /** Dotted paths of fields, or names of `cells`. A field without its `_id` shows the name of that record. */
  columns?: readonly string[];
  /** Computed columns. `--fields` accepts them in every output form. */
  cells?: Cells;
  /** The inner records whose names the cells need. */
  learns?: (records: readonly JsonObject[]) => Learned;
  card?: Card;
  /** The tone, and so the color, of words in a column. */
  tones?: Tones;
  /** Options without a value that set query parameters. */
  shorthands?: Readonly<Record<string, { summary: string; query: Readonly<Record<string, string>> }>>;
  /** The filter that matches a part of a name, unless its value has a `*` or --exact is given. */
  partly?: string;
  /** The list accepts --from and --to, which select scheduled times. */
  spans?: boolean;
  /** As a table or as IDs the list shows open records only, unless one of these parameters is given. */
  beginsOpen?: { unless: readonly string[] };
  /** A typed --location also limits what the new user sees; without it the path takes any location. */
  limitsToLocation?: true;
  /** Optional fields of the body that a terminal asks for, because the user must decide about them. */
  asks?: readonly string[];
  /** Optional fields that a terminal asks for; Enter skips them. */
  alsoAsks?: readonly string[];
  /** Options that the short help shows before others, in this order. */
  common?: readonly string[];
  /** A working command line, without the program's name; by default one with the required options. */
  example?: string;
  /** Text after the options in its help, in lines of at most 80 characters. */
  notes?: string;
  /** The confirmation of a write; by default the changed fields. */
  told?: Told;
  /** A hint on stderr: what to do next with the record. */
  next?: (record: JsonObject) => string;
  /** The words after its command when an error names it as the cure: `dispatch-cli … changes it`. */
  cures?: (body: JsonObject) => string;
  /** The failure that a successful response reports, such as a failed ping; null for none. */
  failureIn?: (answer: JsonObject) => DispatchError | null;
  /** Commands that fix a part of the body, such as `jobs complete`. */
  verbs?: readonly VerbPresentation[];
}

export type Cells = Readonly<Record<string, (record: JsonObject, view: View) => string>>;

/** Records, and their fields that refer to other records. */
export interface Learned {
  fields: readonly string[];
  records: readonly JsonObject[];
}

export interface Card {
  leads: Cells;
  /** The fields that `leads` show; the rest of the card leaves them out. */
  tells: readonly string[];
  /** Fields that refer to records; the card shows their names. */
  names?: readonly string[];
}

export interface Told {
  tell: (change: Change, view: View) => string;
  /** The command reads the record before the change. */
  needsBefore?: true;
  /** Fields that refer to records; the line shows their names. */
  names?: readonly string[];
  learns?: (change: Change) => Learned;
}

/** By column and word. */
export type Tones = Readonly<Record<string, Readonly<Record<string, Tone>>>>;

/** Each has a color. */
export type Tone = "good" | "bad" | "busy" | "off";

/** A command for one use of an operation: `jobs complete 17` is `jobs update 17 --is-completed true`. */
export interface VerbPresentation {
  verb: string;
  summary: string;
  body: Readonly<Record<string, unknown>>;
  /** The other fields of the body, as options; `requires` are mandatory. */
  keeps: readonly string[];
  requires?: readonly string[];
  told?: Told;
  /** It asks for confirmation, like an operation that deletes. */
  isSevere?: boolean;
  example?: string;
}

export type OperationNoun = AnyOperationName extends `${infer Noun}.${string}` ? Noun : never;

/** An unknown operation name does not compile. */
export type PresentationsOf<Noun extends OperationNoun> = Partial<
  Record<Extract<AnyOperationName, `${Noun}.${string}`>, Presentation>
>;
