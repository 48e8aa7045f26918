import type { JsonObject } from "../../models/json.ts";
import type { AnyOperationName } from "../../operations/index.ts";

/** What the terminal adds to an operation: how its answers look, and how people type and are asked. All has a default. */
export interface Presentation {
  /** Dotted paths of the columns of its table, or names of `cells`. */
  columns?: readonly string[];
  /** Columns that are no fields: what a table shows of a record, in words. */
  cells?: Cells;
  /** Words that a column of its table may say, and what each means: shown as a colour where there are colours. */
  tones?: Tones;
  /** Options without a value that stand for query parameters. */
  shorthands?: Readonly<Record<string, { summary: string; query: Readonly<Record<string, string>> }>>;
  /** Fields of the body that it can do without, and that a person at a terminal is asked for: a decision to be made. */
  asks?: readonly string[];
  /** Fields that may be left out, and that a person at a terminal is asked for: Enter leaves them out. */
  alsoAsks?: readonly string[];
  /** A command line that works, without the program's name; by default one with the required options. */
  example?: string;
  /** What its help says after the options, in lines of at most 80 characters. */
  notes?: string;
  /** What to do next with the record that was answered: a line on stderr under what people are shown of it. */
  next?: (record: JsonObject) => string;
  /** What its command does about an error that names it as the cure: `dispatch-cli … changes it`. */
  cures?: (body: JsonObject) => string;
  /** Commands of their own that stand for this operation with a part of its body fixed. */
  verbs?: readonly VerbPresentation[];
}

/** Columns computed from a record, by name. */
export type Cells = Readonly<Record<string, (record: JsonObject) => string>>;

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
