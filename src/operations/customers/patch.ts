/** A nullable field after a PATCH: one that is not sent stays, null empties it. */
export function keep<T>(sent: T | null | undefined, kept: T | null): T | null {
  return sent === undefined ? kept : sent;
}

/** Whether any field of a record differs; a PATCH that changes nothing writes nothing. */
export function differs<T extends object>(before: T, after: T): boolean {
  return Object.entries(after).some(([name, value]) => before[name as keyof T] !== value);
}
