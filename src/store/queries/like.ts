import { type RawBuilder, type SqlBool, sql } from "kysely";

/** `*` matches any characters, and ASCII letters match in either case. */
export function isLike(column: string, filter: string): RawBuilder<SqlBool> {
  const pattern = filter
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[\\%_]/g, "\\$&")
    .replaceAll("*", "%");
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}
