import { type Expression, type SqlBool, sql } from "kysely";
import { countCodePoints } from "../../models/fields.ts";
import type { TenantAccess } from "../access/access.ts";
import { findByParts, findCommon } from "./address-parts.ts";
import { type ComparedBefore, createNearness, nothingCompared } from "./match-key.ts";

const batchRows = 2000;

/** The most addresses that a search compares. Reading them takes 20 ms. */
const rowsMax = 10_000;

/** Limits the comparisons in a transaction to about 10 ms. */
const effortInTransaction = 2_000_000;

/**
 * Finds an active customer at the location with this name key and an active address within `edits` edits of one of
 * `keys`; without keys, one without active addresses. It includes customers hidden from the caller, because a duplicate
 * is as wrong. It compares only addresses of similar length or with a common part, and none from `compared`. Returns
 * "undecided" if too many addresses remain.
 */
export async function findDuplicate(
  access: TenantAccess,
  locationId: number,
  nameKey: string,
  keys: readonly string[],
  edits: number,
  compared: ComparedBefore = nothingCompared,
): Promise<number | "undecided" | undefined> {
  if (keys.length === 0) return findBare(access, locationId, nameKey);
  const equal = await findOwner(access, locationId, nameKey, keys);
  if (equal !== undefined || edits === 0) return equal;
  const effort = { left: effortInTransaction };
  const isNear = createNearness(keys, edits, effort);
  let rows = 0;
  for await (const batch of toCompare(access, nameKey, keys, edits)) {
    rows += batch.length;
    const near = batch.filter((text) => compared.isNear(text) ?? isNear(text));
    const owner = near.length === 0 ? undefined : await findOwner(access, locationId, nameKey, near);
    if (owner !== undefined) return owner;
    if (effort.left < 0 || !compared.isComplete || rows > rowsMax) return "undecided";
  }
  return undefined;
}

export async function findSimilar(
  access: TenantAccess,
  nameKey: string,
  keys: readonly string[],
  edits: number,
): Promise<string[] | null> {
  const texts: string[] = [];
  for await (const batch of toCompare(access, nameKey, keys, edits)) {
    texts.push(...batch);
    if (texts.length > rowsMax) return null;
  }
  return texts;
}

async function* toCompare(
  access: TenantAccess,
  nameKey: string,
  keys: readonly string[],
  edits: number,
): AsyncGenerator<string[]> {
  const [common] = await access.run(findCommon, { nameKey });
  let batch: string[] = [];
  for await (const uncommon of likeKeys(access, nameKey, keys, edits, false)) {
    if (batch.length > 0) yield batch;
    batch = uncommon;
  }
  if (!common) return yield batch;
  const left: string[] = [];
  for (const key of keys) {
    const found = await findByParts(access, nameKey, key, edits);
    if (found === null) left.push(key);
    else batch.push(...found);
  }
  yield batch;
  if (left.length > 0) yield* likeKeys(access, nameKey, left, edits, true);
}

async function findBare(
  access: TenantAccess,
  locationId: number,
  nameKey: string,
): Promise<number | undefined> {
  const addresses = access
    .selectUnseen("addresses")
    .where("customer_id", "=", sql.ref<number>("customers.id"))
    .where("is_active", "=", true)
    .select("id");
  const row = await access
    .selectUnseen("customers")
    .where("name_key", "=", nameKey)
    .where(isActiveAt(access, locationId, "customers.id"))
    .where((eb) => eb.not(eb.exists(addresses)))
    .select("id")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

async function findOwner(
  access: TenantAccess,
  locationId: number,
  nameKey: string,
  keys: readonly string[],
): Promise<number | undefined> {
  const lengths = [...new Set(keys.map(countCodePoints))];
  const row = await access
    .selectUnseen("addresses")
    .where("name_key", "=", nameKey)
    // Both values, because this column comes before the length in the index.
    .where(sql<SqlBool>`is_common in (false, true)`)
    .where("match_length", "in", lengths)
    .where("match_key", "in", [...new Set(keys)])
    .where("is_active", "=", true)
    .where(isActiveAt(access, locationId, "addresses.customer_id"))
    .select("customer_id")
    .orderBy("customer_id")
    .limit(1)
    .executeTakeFirst();
  return row?.customer_id;
}

async function* likeKeys(
  access: TenantAccess,
  nameKey: string,
  keys: readonly string[],
  edits: number,
  isCommon: boolean,
): AsyncGenerator<string[]> {
  const lengths = keys.map(countCodePoints);
  const like = access
    .selectUnseen("addresses")
    .where("name_key", "=", nameKey)
    .where("is_common", "=", isCommon)
    .where("match_length", "<=", Math.max(...lengths) + edits)
    .select("match_key")
    .orderBy("match_length")
    .orderBy("match_key")
    .limit(batchRows);
  let lastLength = Math.min(...lengths) - edits;
  let lastKey = "";
  for (;;) {
    const rows = await like
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("match_length", "match_key"), ">", tuple(lastLength, lastKey)),
      )
      .execute();
    const batch = rows.map(({ match_key }) => match_key);
    yield batch;
    if (batch.length < batchRows) return;
    lastKey = batch.at(-1) ?? "";
    lastLength = countCodePoints(lastKey);
  }
}

/** Evaluated per row: otherwise each search would list all customers of the location. */
function isActiveAt(
  access: TenantAccess,
  locationId: number,
  customerId: "addresses.customer_id" | "customers.id",
): Expression<SqlBool> {
  const record = access
    .selectUnseen("customer_locations")
    .where("location_id", "=", locationId)
    .where("customer_id", "=", sql.ref<number>(customerId))
    .where("is_active", "=", true)
    .select("customer_id");
  return sql<SqlBool>`exists ${record}`;
}
