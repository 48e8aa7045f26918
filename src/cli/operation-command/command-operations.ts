import type { Operation } from "../../core/operation.ts";
import { type Flag, toFlags } from "../input/flags.ts";
import type { Presentation, VerbPresentation } from "../presentation/presentation.ts";

/** The operations that serve one command: by default one, of lists another when --location is given. */
export interface CommandOperations {
  operation: Operation;
  presentation: Presentation;
  atLocation: Operation | null;
  /** The command stands for a part of the operation only. */
  shorthand?: VerbPresentation;
}

/** The options that are fields: of a shorthand the path's, and those of the body that it keeps. */
export function toCommandFlags({ operation, shorthand }: CommandOperations): Flag[] {
  const flags = toFlags(operation);
  if (!shorthand) return flags;
  const { keeps, requires = [] } = shorthand;
  return flags
    .filter(({ field, part }) => part !== "body" || keeps.includes(field))
    .map((flag) => ({ ...flag, isRequired: flag.isRequired || requires.includes(flag.field) }));
}

/** Whether the command asks before it acts. */
export function isSevere({
  operation,
  shorthand,
}: {
  operation: Operation;
  shorthand?: VerbPresentation | undefined;
}): boolean {
  return operation.effect === "delete" || shorthand?.isSevere === true;
}
