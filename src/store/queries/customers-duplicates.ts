import { type Expression, type SqlBool, sql } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import { findByParts, findCommon } from "./address-parts.ts";
import { countCodePoints, createNearness } from "./match-key.ts";
import { type ComparedBefore, nothingCompared } from "./near-addresses.ts";

/** How many addresses the search holds in memory at once. */
const batchRows = 2000;

/** How many addresses a search compares at most: to read as many takes a fiftieth of a second. */
const rowsMax = 10_000;

/** What comparing may cost while others wait for the transaction, about a hundredth of a second. */
const effortInTransaction = 2_000_000;

/**
 * Finds an active customer at the location whose name has the given key and which has an active address within `edits`
 * edits of one of `keys`; without keys, one that has no active address (OP-33). It also finds customers that the caller
 * may not see, because a second record would be just as wrong. The database finds equal addresses by an index. Of the
 * others it hands over only addresses of the same name and about the same length, or with a part in common where very
 * many have the name, so that other customers cost nothing, however many they are. What was `compared` before is not
 * compared again. Gives "undecided" when too many similar addresses would have to be compared.
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

/** The addresses that `findDuplicate` would compare; null when they are too many. */
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

/** All addresses of customers of the name that may be near one of the keys, batch by batch. */
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

/** The first active customer of the name that has no active address. */
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

/** The first active customer of the name that has one of exactly these addresses. */
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
    // Both values, because they stand before the length in the index.
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

/** The addresses of customers of the name that are close enough in length, batch by batch in the order of the index. */
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

/** Asked row by row: a list of all customers of the location would be built again for each search. */
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
