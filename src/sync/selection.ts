/** Some types of records, of all that can be brought into a tenant. */
export interface Selection {
  types: ReadonlySet<string>;
  /** What the user chose them with, as messages name it. */
  name: string;
}

/** Whether records of a type are chosen; without a selection all are. */
export function isSelected(only: Selection | null, type: string): boolean {
  return only?.types.has(type) ?? true;
}
