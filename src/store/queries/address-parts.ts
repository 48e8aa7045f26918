import { type SqlBool, sql } from "kysely";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type ListParameter, type Parameter } from "../access/compiled.ts";

/** From this number of addresses with one name, the search uses their parts (`addresses_by_part_…`). */
export const commonNameRows = 256;

const partsIndexed = 6;
const partLength = 4;

/** The most addresses that may share a part. The second limit applies if the first leaves too few parts. */
const rowsPerPartMax = [50, 1000];

/**
 * Returns addresses of common names that may be within `edits` edits of `key`; null if their parts do not distinguish
 * enough. An edit breaks one part at most, so of `edits` + 1 parts one occurs in `key`, shifted by at most `edits`.
 * Rare parts take 1 ms among 100,000 addresses, a full comparison 140 ms.
 */
export async function findByParts(
  access: TenantAccess,
  nameKey: string,
  key: string,
  edits: number,
): Promise<string[] | null> {
  const points = [...key];
  // An address of similar length has all of these parts.
  const usable = Math.min(partsIndexed, Math.floor((points.length - edits) / partLength));
  if (usable <= edits) return null;
  const parts = Array.from({ length: usable }, (_, part) => ({
    part,
    texts: toShifted(points, part * partLength, edits),
  }));
  for (const rows of rowsPerPartMax) {
    const further = await Promise.all(
      parts.map(({ part, texts }) => access.run(findFurther, { nameKey, texts }, { part, rows })),
    );
    const chosen = parts.filter((_, index) => further[index]?.length === 0).slice(0, edits + 1);
    if (chosen.length <= edits) continue;
    const found = await Promise.all(
      chosen.map(({ part, texts }) => access.run(findWithPart, { nameKey, texts }, part)),
    );
    return [...new Set(found.flat().map(({ match_key }) => match_key))];
  }
  return null;
}

function toShifted(points: readonly string[], place: number, edits: number): string[] {
  const texts = new Set<string>();
  const last = Math.min(place + edits, points.length - partLength);
  for (let at = Math.max(0, place - edits); at <= last; at++)
    texts.add(points.slice(at, at + partLength).join(""));
  return [...texts];
}

export const findCommon = defineStatement(
  (access: TenantQueries, { nameKey }: { nameKey: Parameter<string> }) =>
    access
      .selectUnseen("addresses")
      .where("name_key", "=", nameKey)
      .where(sql<SqlBool>`is_common = true`)
      .select("id")
      .limit(sql.lit(1)),
);

interface Asked {
  nameKey: Parameter<string>;
  texts: ListParameter<string>;
}

function withPart(access: TenantQueries, { nameKey, texts: [operator, list] }: Asked, part: number) {
  // The database uses the index only for exactly this expression.
  const text = sql<string>`substr(match_key, ${sql.lit(1 + part * partLength)}, ${sql.lit(partLength)})`;
  return access
    .selectUnseen("addresses")
    .where("name_key", "=", nameKey)
    .where(sql<SqlBool>`is_common = true`)
    .where(text, operator, list);
}

const findFurther = defineStatement(
  (access: TenantQueries, asked: Asked, { part, rows }: { part: number; rows: number }) =>
    withPart(access, asked, part).select("id").limit(sql.lit(1)).offset(sql.lit(rows)),
);

const findWithPart = defineStatement((access: TenantQueries, asked: Asked, part: number) =>
  withPart(access, asked, part).select("match_key"),
);
