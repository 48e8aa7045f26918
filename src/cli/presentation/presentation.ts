import type { DispatchError } from "../../errors/errors.ts";
import type { JsonObject } from "../../models/json.ts";
import type { AnyOperationName } from "../../operations/index.ts";
import type { Change } from "./change.ts";
import type { View } from "./view.ts";

/** What the terminal adds to an operation: how its answers look, and how people type and are asked. All has a default. */
export interface Presentation {
  /** Dotted paths of the columns of its table, or names of `cells`; a field without its `_id` is the name of what it names. */
  columns?: readonly string[];
  /** Columns that are no fields: what a table shows of a record, in words. `--fields` takes them in every form. */
  cells?: Cells;
  /** The records within those of a list whose fields its cells tell. */
  learns?: (records: readonly JsonObject[]) => Learned;
  /** What a card begins with, by its labels. */
  card?: Card;
  /** Words that a column of its table may say, and what each means: shown as a colour where there are colours. */
  tones?: Tones;
  /** Options without a value that stand for query parameters. */
  shorthands?: Readonly<Record<string, { summary: string; query: Readonly<Record<string, string>> }>>;
  /** The filter that takes a part of what records are called, unless its value has a `*` or --exact is given. */
  partly?: string;
  /** Its list takes --from and --to: what is planned from one time to another. */
  spans?: boolean;
  /** Its list shows people those that something is still to be done with, unless one of these parameters is given. */
  beginsOpen?: { unless: readonly string[] };
  /** Fields of the body that it can do without, and that a person at a terminal is asked for: a decision to be made. */
  asks?: readonly string[];
  /** Fields that may be left out, and that a person at a terminal is asked for: Enter leaves them out. */
  alsoAsks?: readonly string[];
  /** A command line that works, without the program's name; by default one with the required options. */
  example?: string;
  /** What its help says after the options, in lines of at most 80 characters. */
  notes?: string;
  /** What its command answers a person who changed something; by default the fields that changed. */
  told?: Told;
  /** What to do next with the record that was answered: a line on stderr under what people are shown of it. */
  next?: (record: JsonObject) => string;
  /** What its command does about an error that names it as the cure: `dispatch-cli … changes it`. */
  cures?: (body: JsonObject) => string;
  /** The failure that an answer reports, for a command that can only succeed or fail; null when all went well. */
  failureIn?: (answer: JsonObject) => DispatchError | null;
  /** Commands of their own that stand for this operation with a part of its body fixed. */
  verbs?: readonly VerbPresentation[];
}

/** Columns computed from a record, by name; empty where there is nothing to tell. */
export type Cells = Readonly<Record<string, (record: JsonObject, view: View) => string>>;

/** Records, and which of their fields name others that are to be told by their names. */
export interface Learned {
  fields: readonly string[];
  records: readonly JsonObject[];
}

/** What a card tells first of a record, in words. */
export interface Card {
  leads: Cells;
  /** The fields that they tell, which the rest of the card leaves out. */
  tells: readonly string[];
  /** The fields whose records are told by their names. */
  names?: readonly string[];
}

/** Tells in one line what a write did. */
export interface Told {
  tell: (change: Change, view: View) => string;
  /** It says what was before, so the record is read before it is changed. */
  needsBefore?: true;
  /** The fields whose records it names. */
  names?: readonly string[];
  /** What else it names: records, by their fields. */
  learns?: (change: Change) => Learned;
}

/** What the words of a column mean, by column and word. */
export type Tones = Readonly<Record<string, Readonly<Record<string, Tone>>>>;

/** What a word means to who reads the table; a colour stands for each. */
export type Tone = "good" | "bad" | "busy" | "off";

/** A command for one thing that an operation does: `jobs complete 17` is `jobs update 17 --is-completed true`. */
export interface VerbPresentation {
  verb: string;
  summary: string;
  /** The fixed fields of the body. */
  body: Readonly<Record<string, unknown>>;
  /** The other fields of the body that it takes as options; those it cannot do without. */
  keeps: readonly string[];
  requires?: readonly string[];
  told?: Told;
  /** It asks first, like an operation that deletes. */
  isSevere?: boolean;
  example?: string;
}

/** The nouns of the command line that operations have. */
export type OperationNoun = AnyOperationName extends `${infer Noun}.${string}` ? Noun : never;

/** The presentations of one noun's operations; a name that no operation has does not compile. */
export type PresentationsOf<Noun extends OperationNoun> = Partial<
  Record<Extract<AnyOperationName, `${Noun}.${string}`>, Presentation>
>;
