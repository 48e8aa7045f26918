import type { RecordKind } from "./record-kind.ts";

/** An ID is a whole number, or a UUID for a hauler. */
export function isId({ idParam }: RecordKind, text: string): boolean {
  if (idParam?.endsWith("_uuid")) return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
  return /^[1-9]\d{0,14}$/.test(text);
}

/** Whether a text can be a name. Other text goes to the service, which refuses it. */
export function isName(kind: RecordKind, text: string): boolean {
  const isOther = text.trim() === "" || text === "null" || /^[-+]?\d*\.?\d*$/.test(text);
  return !isId(kind, text) && (!isOther || (hasNumbers(kind) && /^\d+$/.test(text)));
}

/** Whether a text may be an ID or another number of a record. The ID wins if it exists. */
export function isEither(kind: RecordKind, text: string): boolean {
  return isId(kind, text) && hasNumbers(kind);
}

const hasNumbers = ({ numbers = [] }: RecordKind) => numbers.length > 0;
