/**
 * The statistics that the planner has before there are rows to measure: tenants are few and their rows many.
 * Without it SQLite takes "all rows of the tenant" for ten rows and reads them all instead of looking ids up.
 * Each text is the rows of the table, then the rows that share the index's first column, its first two, and so on.
 */
type Statistics = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The statements that write expected statistics, by table and index. */
export function toStatistics(statistics: Statistics): string {
  return [
    "analyze sqlite_schema;",
    ...Object.entries(statistics).flatMap(([table, indexes]) =>
      Object.entries(indexes).map(
        ([index, stat]) =>
          `insert into sqlite_stat1 (tbl, idx, stat) values ('${table}', '${index}', '${stat}');`,
      ),
    ),
  ].join("\n");
}
