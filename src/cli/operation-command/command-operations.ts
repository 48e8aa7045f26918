import type { Operation } from "../../core/operation.ts";
import { type Flag, toFlags } from "../input/flags.ts";
import type { Presentation, VerbPresentation } from "../presentation/presentation.ts";

export interface CommandOperations {
  operation: Operation;
  presentation: Presentation;
  atLocation: Operation | null;
  /** The command covers a part of the operation. */
  shorthand?: VerbPresentation;
}

/** A shorthand has only some fields of the body. */
export function toCommandFlags({ operation, shorthand }: CommandOperations): Flag[] {
  const flags = toFlags(operation);
  if (!shorthand) return flags;
  const { keeps, requires = [] } = shorthand;
  return flags
    .filter(({ field, part }) => part !== "body" || keeps.includes(field))
    .map((flag) => ({ ...flag, isRequired: flag.isRequired || requires.includes(flag.field) }));
}

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
