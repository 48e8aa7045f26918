import type { RecordKind } from "./record-kind.ts";

/** Whether a text is an id of a kind, and not what people call one of them: a whole number, or a hauler's UUID. */
export function isId({ idParam }: RecordKind, text: string): boolean {
  if (idParam?.endsWith("_uuid")) return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
  return /^[1-9]\d{0,14}$/.test(text);
}

/** Whether a text can be what people call a record: the rest is for the interface to refuse. */
export function isName(kind: RecordKind, text: string): boolean {
  const isOther = text.trim() === "" || text === "null" || /^[-+]?\d*\.?\d*$/.test(text);
  return !isId(kind, text) && (!isOther || (hasNumbers(kind) && /^\d+$/.test(text)));
}

/** Whether a text may be a number of a record instead of its id: known only when no record has that id. */
export function isEither(kind: RecordKind, text: string): boolean {
  return isId(kind, text) && hasNumbers(kind);
}

const hasNumbers = ({ numbers = [] }: RecordKind) => numbers.length > 0;
