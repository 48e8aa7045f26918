import type { Operation } from "../../core/operation.ts";
import { type Flag, toFlags } from "../input/flags.ts";
import type { Presentation, VerbPresentation } from "../presentation/presentation.ts";

/** The operations of one command: one, or for some lists another with --location. */
export interface CommandOperations {
  operation: Operation;
  presentation: Presentation;
  atLocation: Operation | null;
  /** The command covers only a part of the operation. */
  shorthand?: VerbPresentation;
}

/** The options that are fields; a shorthand has only some fields of the body. */
export function toCommandFlags({ operation, shorthand }: CommandOperations): Flag[] {
  const flags = toFlags(operation);
  if (!shorthand) return flags;
  const { keeps, requires = [] } = shorthand;
  return flags
    .filter(({ field, part }) => part !== "body" || keeps.includes(field))
    .map((flag) => ({ ...flag, isRequired: flag.isRequired || requires.includes(flag.field) }));
}

/** `jobs complete` */
export const isCompletion = ({ shorthand }: { shorthand?: VerbPresentation | undefined }) =>
  shorthand?.body.is_completed === true;

export function isSevere({
  operation,
  shorthand,
}: {
  operation: Operation;
  shorthand?: VerbPresentation | undefined;
}): boolean {
  return operation.effect === "delete" || shorthand?.isSevere === true;
}
