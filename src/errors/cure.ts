/** The next step after an error, as data that each surface words. */
export type Cure = OperationCure | RequestCure | CommandCure;

/** An operation that helps. The reader chooses missing path parameters. */
export interface OperationCure {
  operation: `${string}.${string}`;
  params?: CureValues;
  query?: CureValues;
  body?: CureValues;
}

/** A request over HTTP that helps. The reader replaces `{name}` in the path or body. */
export interface RequestCure {
  body?: CureValues;
  method: string;
  path: string;
}

/** A command that is not an operation, so only the terminal shows it. */
export interface CommandCure {
  command: CommandName;
}

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
