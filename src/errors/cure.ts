/** The way on from an error, as data: each surface says it in its own words. */
export type Cure = OperationCure | RequestCure | CommandCure;

/** An operation that helps, by name. A path parameter without a value is the reader's to choose. */
export interface OperationCure {
  operation: `${string}.${string}`;
  params?: CureValues;
  query?: CureValues;
  body?: CureValues;
}

/**
 * The same as a request, as answers over HTTP carry it. `{name}` in the path, or as a value of the body, stands for a
 * value that the reader chooses.
 */
export interface RequestCure {
  body?: CureValues;
  method: string;
  /** With its query. */
  path: string;
}

/** A command of the program that is no operation, so only the terminal tells of it. */
export interface CommandCure {
  command: CommandName;
}

/** The commands that cure errors. */
export type CommandName =
  | "doctor"
  | "doctor --full"
  | "hooks resume"
  | "init"
  | "init --sandbox"
  | "store policy"
  | "tenants update"
  | "users list";

type CureValues = Readonly<Record<string, unknown>>;
