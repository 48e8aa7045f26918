import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer, anAddress, type Json } from "../../support/builders.ts";
import type { Row } from "../../support/databases.ts";
import type { Harness } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

/** Pairs of equal names for each of the four rules of equality. */
const equalNames = [
  ["letter case", "Acme Hauling", "ACME hauling"],
  ["letter case beyond ASCII", "ÖRESUND ŻÓŁĆ", "öresund żółć"],
  ["sharp s and double s", "Strauß", "STRAUSS"],
  ["capital sharp s and small sharp s", "STRAẞE 7", "Straße 7"],
  ["the forms of sigma", "ΟΔΟΣ.Α", "οδοσ α"],
  ["composed and decomposed letters", "Caf\u00e9 Zo\u00eb", "Cafe\u0301 Zoe\u0308"],
  ["ligatures", "Oﬃce ﬁve", "Office five"],
  ["full-width letters", "Ａｃｍｅ　１２", "acme 12"],
  ["punctuation", "Smith & Sons, Inc.", "Smith - Sons (Inc)"],
  ["dotted capital I, composed and decomposed", "İSTANBUL", "i\u0307stanbul"],
  ["Greek letters with two marks", "ΜΑΪ\u0301Ο", "μα\u0390ο"],
  ["marks in another order", "a\u0323\u0302 Trang", "ậ trang"],
  ["half-width kana", "ｶﾞｿﾘﾝ 1", "ガソリン 1"],
  ["signs of one or more letters", "№ 5 ™", "no 5 tm"],
  ["characters that cannot be seen", "Ac\u200bme\u00ad 7\ufeff", "acme 7"],
  ["how an emoji is written", "☎️ Store", "☎ store"],
  ["white space", " Big\t\tBox \n", "Big Box"],
] as const;

const address = {
  country: "US",
  line_1: "1745 T Street SE",
  locality: "Washington",
  postcode: "20020",
  region: "DC",
};

describeOnEveryTarget("customers.create, duplicates", (harness) => {
  it("refuses a second customer with the same name and address, names the first, and stores nothing", async () => {
    const body = aCustomer();
    const first = await createdId(harness, body);
    const before = harness.store.contents();
    expect(await create(harness, body)).toMatchObject({
      status: 409,
      body: {
        code: "duplicate_record",
        detail: `Customer ${first} at location ${harness.acme.locationId} has this name and one of these addresses.`,
        field: "CreateCustomerModel.name",
        status: 409,
      },
    });
    expect(harness.store.contents()).toEqual(before);
  });

  it("allows the same name at another address, and another name at the same address", async () => {
    const { name, addresses } = aCustomer();
    await createdId(harness, { addresses, contacts: [], name });
    expect((await create(harness, aCustomer({ name }))).status).toBe(200);
    expect((await create(harness, aCustomer({ addresses }))).status).toBe(200);
  });

  it.each(equalNames)("ignores %s when it compares names", async (_, one, other) => {
    const addresses = [anAddress()];
    const first = await createdId(harness, aCustomer({ addresses, name: one }));
    expect(await duplicateOf(harness, aCustomer({ addresses, name: other }))).toBe(first);
  });

  it.each(equalNames)("ignores %s when it compares addresses", async (_, one, other) => {
    const { name } = aCustomer();
    const first = await createdId(harness, aCustomer({ addresses: [anAddress({ line_1: one })], name }));
    expect(await duplicateOf(harness, aCustomer({ addresses: [anAddress({ line_1: other })], name }))).toBe(
      first,
    );
  });

  it("distinguishes names by any letter or digit", async () => {
    const addresses = [anAddress()];
    await createdId(harness, aCustomer({ addresses, name: "Yard 1" }));
    for (const name of ["Yard 2", "Yard", "Yard 11", "Yärd 1", "YardI"]) {
      expect((await create(harness, aCustomer({ addresses, name }))).status, name).toBe(200);
    }
  });

  it.each([
    ["İstanbul", "Istanbul"],
    ["🚛 Hauling", "🚜 Hauling"],
    ["🚛 Hauling", "Hauling"],
    ["🚛", "🚜"],
    ["???", "!!!"],
    ["Café", "Cafe"],
    ["Ohm Ω", "Ohm O"],
    ["ガス", "カス"],
  ])("distinguishes the names %j and %j", async (one, other) => {
    const addresses = [anAddress()];
    await createdId(harness, aCustomer({ addresses, name: one }));
    expect((await create(harness, aCustomer({ addresses, name: other }))).status).toBe(200);
    expect(await duplicateOf(harness, aCustomer({ addresses, name: one }))).not.toBeNull();
  });

  it.each(Object.keys(address))("distinguishes addresses by their %s", async (part) => {
    const { name } = aCustomer();
    await createdId(harness, aCustomer({ addresses: [anAddress(address)], name }));
    const other = { ...address, [part]: part === "country" ? "CA" : "Elsewhere" };
    expect((await create(harness, aCustomer({ addresses: [anAddress(other)], name }))).status).toBe(200);
  });

  it.each([
    ["line_2", "Suite 4"],
    ["line_3", "Rear"],
    ["line_4", "King County"],
    ["latitude", 1],
    ["longitude", 1],
    ["is_billing", false],
    ["is_shipping", true],
  ])("ignores the %s of addresses when it compares them", async (part, value) => {
    const { name } = aCustomer();
    const first = await createdId(harness, aCustomer({ addresses: [anAddress(address)], name }));
    const other = anAddress({ ...address, [part]: value });
    expect(await duplicateOf(harness, aCustomer({ addresses: [other], name }))).toBe(first);
  });

  it("compares each address with each other address", async () => {
    const [a, b, c] = [anAddress(), anAddress(), anAddress()];
    const { name } = aCustomer();
    const first = await createdId(harness, aCustomer({ addresses: [a, b], name }));
    expect(await duplicateOf(harness, aCustomer({ addresses: [c, b], name }))).toBe(first);
  });

  it("treats a customer without addresses as a duplicate only of another customer without addresses", async () => {
    const { name } = aCustomer();
    await createdId(harness, aCustomer({ name }));
    const bare = await createdId(harness, aCustomer({ addresses: [], name }));
    expect(await duplicateOf(harness, aCustomer({ addresses: [], name }), 999)).toBe(bare);
    expect((await create(harness, aCustomer({ name }))).status).toBe(200);
  });

  describe("max_address_edit_distance", () => {
    it.each([
      ["1745 T Street SE", "1746 T Street SE", 1],
      ["1745 T Street SE", "1745 T Stret SE", 1],
      ["1745 T Street SE", "1745 T Streeet SE", 1],
      ["1745 T Street SE", "1845 U Strete", 5],
      ["Straße 1", "Strasse 2", 1],
      // The code counts code points, so one character outside the Basic Multilingual Plane is one edit.
      ["𠮷野家 1", "吉野家 1", 1],
    ])("counts from %j to %j %i edits", async (one, other, edits) => {
      const { name } = aCustomer();
      const first = await createdId(harness, aCustomer({ addresses: [anAddress({ line_1: one })], name }));
      const body = aCustomer({ addresses: [anAddress({ line_1: other })], name });
      expect(await duplicateOf(harness, body, edits)).toBe(first);
      expect((await create(harness, body, edits - 1)).status).toBe(200);
    });

    it("counts edits over the joined address, and defaults to 0", async () => {
      const { name } = aCustomer();
      const first = await createdId(harness, aCustomer({ addresses: [anAddress(address)], name }));
      const body = aCustomer({
        addresses: [anAddress({ ...address, postcode: "20021", region: "DD" })],
        name,
      });
      expect(await duplicateOf(harness, body, 2)).toBe(first);
      expect((await create(harness, body)).status).toBe(200);
    });

    it("treats all addresses as equal within 999 edits, but not all names", async () => {
      const { name } = aCustomer();
      const first = await createdId(harness, aCustomer({ name }));
      const far = anAddress({
        country: "NZ",
        line_1: "Elsewhere",
        locality: "Far",
        postcode: "9",
        region: "X",
      });
      expect(await duplicateOf(harness, aCustomer({ addresses: [far], name }), 999)).toBe(first);
      expect((await create(harness, aCustomer({ addresses: [far] }), 999)).status).toBe(200);
    });
  });

  describe("among thousands of customers with one name", () => {
    const name = "Corner Store";
    const count = 4100;
    const bodyOf = (line_1: string) => aCustomer({ addresses: [anAddress({ ...address, line_1 })], name });
    const lineOf = (index: number) => `${String(index).padStart(5, "0").replaceAll(/./g, "$&$&")} T Street`;
    let first: number;

    beforeAll(async () => {
      first = await createdId(harness, bodyOf(lineOf(0)));
      const rowOf = (table: string, of: Row) => {
        const row = harness.store
          .rows(table)
          .find((known) => Object.entries(of).every(([key, value]) => known[key] === value));
        const { id: _, ...kept } = row as Row;
        return kept;
      };
      const customer = rowOf("customers", { id: first });
      const record = rowOf("customer_locations", { customer_id: first });
      const own = rowOf("addresses", { customer_id: first });
      const { store } = harness;
      const ids = store.insertAll(
        "customers",
        Array.from({ length: count }, () => customer),
      );
      store.insertAll(
        "customer_locations",
        ids.map((customer_id) => ({ ...record, customer_id })),
      );
      const addresses = ids.map((customer_id, position) => {
        const line_1 = lineOf(position + 1);
        const match_key = String(own.match_key).replace(lineOf(0).toLowerCase(), line_1.toLowerCase());
        return { ...own, customer_id, line_1, match_key };
      });
      store.insertAll("addresses", addresses);
    });

    it("finds the first, the last and a middle one, both exact and within some edits", async () => {
      for (const index of [0, 2050, count]) {
        expect(await duplicateOf(harness, bodyOf(lineOf(index)))).toBe(first + index);
        expect(await duplicateOf(harness, bodyOf(`${lineOf(index)}abc`), 3)).not.toBeNull();
      }
    });

    it("accepts an address that is near none of them, of the same length or another", async () => {
      expect((await create(harness, bodyOf("XXXXXXXXXX T Street"), 3)).status).toBe(200);
      expect((await create(harness, bodyOf("Elsewhere"), 3)).status).toBe(200);
      expect((await create(harness, { ...bodyOf(""), addresses: [] }, 3)).status).toBe(200);
    });

    it("finds any of them within 999 edits", async () => {
      expect(await duplicateOf(harness, bodyOf("Y"), 999)).not.toBeNull();
    });
  });

  describe("compares only active customers of the same location:", () => {
    it("ignores a customer of another location", async () => {
      const other = await harness.ok("locations.create", { as: "Admin", body: { name: "North yard" } });
      const body = aCustomer();
      await createdId(harness, body);
      const answer = await harness.call("customers.create", { params: { location_id: other.id }, body });
      expect(answer.status).toBe(200);
    });

    it("ignores a customer of another tenant", async () => {
      const body = aCustomer();
      const { caller, locationId } = harness.globex;
      await harness.ok("customers.create", { as: caller, params: { location_id: locationId }, body });
      expect((await create(harness, body)).status).toBe(200);
    });

    it("ignores an address that is no longer active", async () => {
      const body = aCustomer();
      const { addresses } = await harness.ok("customers.create", { params: atYard(harness), body });
      harness.store.update("addresses", addresses[0]?.id ?? 0, { is_active: 0 });
      expect((await create(harness, body)).status).toBe(200);
    });
  });
});

const atYard = (harness: Harness) => ({ location_id: harness.acme.locationId });

function create(harness: Harness, body: Json, edits?: number) {
  const query = edits === undefined ? {} : { max_address_edit_distance: edits };
  return harness.call("customers.create", { params: atYard(harness), query, body });
}

async function createdId(harness: Harness, body: Json): Promise<number> {
  return (await harness.ok("customers.create", { params: atYard(harness), body })).id;
}

/** Returns the customer that a duplicate error names, or null for any other answer. */
async function duplicateOf(harness: Harness, body: Json, edits?: number): Promise<number | null> {
  const answer = await create(harness, body, edits);
  const { code, detail } = answer.body as { code?: string; detail?: string };
  const named = code === "duplicate_record" ? /^Customer (\d+) /.exec(detail ?? "")?.[1] : undefined;
  return named === undefined ? null : Number(named);
}
