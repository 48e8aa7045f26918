const columns = ["off_from", "off_reason", "off_until"];

/** The days on which a driver or a truck is off; the same on both databases. */
export function toAbsences(): string {
  return ["drivers", "trucks"]
    .flatMap((table) => columns.map((column) => `alter table ${table} add column ${column} text;`))
    .join("\n");
}
