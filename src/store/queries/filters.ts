import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { OwnedTable } from "../schema/database.ts";
import type { Matching } from "./pages.ts";

export type Conditions<T extends OwnedTable, Filters> = {
  readonly [Name in keyof Filters]-?: (
    rows: Matching<T>,
    value: NonNullable<Filters[Name]>,
    access: TenantAccess,
  ) => Matching<T>;
};

export function hasFilter<T extends OwnedTable, Filters>(
  filters: Filters,
  conditions: Conditions<T, Filters>,
): boolean {
  return namesIn(conditions).some((name) => filters[name] !== undefined && filters[name] !== null);
}

export function hasOnly<T extends OwnedTable, Filters>(
  filters: Filters,
  conditions: Conditions<T, Filters>,
  allowed: readonly (keyof Filters)[],
): boolean {
  const others = namesIn(conditions).filter((name) => !allowed.includes(name));
  return others.every((name) => filters[name] === undefined || filters[name] === null);
}

/** Omits fields of a query that are not filters. */
function namesIn<T extends OwnedTable, Filters>(conditions: Conditions<T, Filters>) {
  return Object.keys(conditions) as (keyof Filters)[];
}

export function filterRows<T extends OwnedTable, Filters>(
  access: TenantAccess,
  rows: Matching<T>,
  filters: Filters,
  conditions: Conditions<T, Filters>,
): Matching<T> {
  const filterBy = <Name extends keyof Filters>(matching: Matching<T>, name: Name): Matching<T> => {
    const value = filters[name];
    return value === undefined || value === null ? matching : conditions[name](matching, value, access);
  };
  return namesIn(conditions).reduce(filterBy, rows);
}

/** `*` matches any characters. The case of ASCII letters does not count. */
export function isLike(column: string, filter: string): RawBuilder<SqlBool> {
  const pattern = filter
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[\\%_]/g, "\\$&")
    .replaceAll("*", "%");
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}
