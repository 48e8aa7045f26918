import { distance } from "fastest-levenshtein";
import { expect, it } from "vitest";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { toAddressKey } from "../../src/store/queries/match-key.ts";
import { aCustomer, anAddress } from "../support/builders.ts";
import type { Row } from "../support/databases.ts";
import type { Harness } from "../support/harness.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

const name = "Corner Store";
const parts = { country: "US", line_1: "", locality: "Ely", postcode: "20020", region: "DC" };
const edited = "abcd 1é🚚";

/** Creates a random generator with a fixed seed. */
function createRandom() {
  let state = 7;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Changes, adds, or removes a code point, `edits` times. */
function edit(text: string, edits: number, random: (below: number) => number): string {
  const points = [...text];
  for (let made = 0; made < edits; made++) {
    const letter = [...edited][random(8)] ?? "";
    points.splice(random(points.length), random(2), ...(random(3) > 0 ? [letter] : []));
  }
  return points.join("");
}

/** Returns the edit distance in code points. Each code point is one unit of the texts. */
function distanceOf(one: string, other: string): number {
  const toUnits = (text: string) =>
    Array.from(text, (point) => (point.length > 1 ? "\u0001" : point)).join("");
  return distance(toUnits(one), toUnits(other));
}

describeInProcess("the search for duplicates among customers of a common name", (shared) => {
  /**
   * Creates customers with one name at these addresses. From the 257th on, the search finds them by parts of their
   * address.
   */
  async function makeCustomers(
    lines: readonly string[],
  ): Promise<{ harness: Harness; first: number; ids: number[] }> {
    const harness = await freshHarness(shared);
    const params = { location_id: harness.acme.locationId };
    const body = aCustomer({ addresses: [anAddress({ ...parts, line_1: "first" })], name });
    const { id: first } = await harness.ok("customers.create", { params, body });
    const { store } = harness;
    const rowOf = (table: string, of: Row) => {
      const found = store
        .rows(table)
        .find((row) => Object.entries(of).every(([key, value]) => row[key] === value));
      const { id: _, ...kept } = found as Row;
      return kept;
    };
    const customer = rowOf("customers", { id: first });
    const record = rowOf("customer_locations", { customer_id: first });
    const own = rowOf("addresses", { customer_id: first });
    const ids = store.insertAll(
      "customers",
      lines.map(() => customer),
    );
    store.insertAll(
      "customer_locations",
      ids.map((customer_id) => ({ ...record, customer_id })),
    );
    const addresses = ids.map((customer_id, index) => {
      const match_key = toAddressKey({ ...parts, line_1: lines[index] ?? "" });
      const match = { match_key, match_length: [...match_key].length };
      return { ...own, ...match, customer_id, ...(index >= 256 && { is_common: own.is_active ?? 1 }) };
    });
    store.insertAll("addresses", addresses);
    return { harness, first, ids };
  }

  const find = ({ acme, service }: Harness, line_1: string, edits: number) =>
    service.store.read({ tenantId: acme.tenantId, rowScopes: wholeTenant }, (store) =>
      store.customers.findDuplicate(acme.locationId, name, [{ ...parts, line_1 }], edits),
    );

  it("finds the same customers as a comparison with every address", async () => {
    const random = createRandom();
    const line = () => Array.from({ length: 4 + random(24) }, () => [...edited][random(8)]).join("");
    const lines = Array.from({ length: 500 }, line);
    const { harness, first, ids } = await makeCustomers(lines);
    const owners = [first, ...ids];
    const keys = ["first", ...lines].map((line_1) => toAddressKey({ ...parts, line_1 }));
    const outcomes = { found: 0, none: 0 };
    for (let tried = 0; tried < 120; tried++) {
      const edits = tried % 7;
      const like = edit(lines[random(lines.length)] ?? "", random(edits + 3), random);
      const key = toAddressKey({ ...parts, line_1: like });
      // An equal address comes before similar ones.
      const within = (most: number) => (address: string) => distanceOf(address, key) <= most;
      const expected =
        owners[keys.some(within(0)) ? keys.findIndex(within(0)) : keys.findIndex(within(edits))];
      expect(await find(harness, like, edits), `${JSON.stringify(like)} within ${edits}`).toBe(expected);
      outcomes[expected === undefined ? "none" : "found"]++;
    }
    expect(Math.min(outcomes.found, outcomes.none)).toBeGreaterThan(10);
  });

  it("finds customers whose addresses differ only at the end", async () => {
    const lines = Array.from({ length: 600 }, (_, index) => `Northern Industrial Avenue ${index}`);
    const { harness, ids } = await makeCustomers(lines);
    expect(await find(harness, "Northern Industrial Avenue 599", 0)).toBe(ids[599]);
    expect(await find(harness, "Northern Industrial Avenue 599abc", 3)).toBe(ids[599]);
    expect(await find(harness, "Northern Industrial Avenue 77777777", 3)).toBeUndefined();
  });

  it("follows a changed name or address", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `${String(index).padStart(5, "0")} Main Street`);
    const { harness, ids } = await makeCustomers(lines);
    const [customer_id = 0] = ids.slice(-1);
    await harness.ok("customers.update", { params: { customer_id }, body: { name: "Elsewhere" } });
    expect(await find(harness, "00299x Main Street", 1)).toBeUndefined();
    await harness.ok("customers.update", { params: { customer_id }, body: { name } });
    expect(await find(harness, "00299x Main Street", 1)).toBe(customer_id);
    const address = harness.store.rows("addresses").find((row) => row.customer_id === customer_id);
    const params = { customer_id, customer_address_id: Number(address?.id) };
    await harness.ok("addresses.update", { params, body: { line_1: "Quay 1" } });
    expect(await find(harness, "00299x Main Street", 1)).toBeUndefined();
    expect(await find(harness, "Quay 2", 1)).toBe(customer_id);
  });
});
