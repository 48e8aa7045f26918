import { beforeAll, expect, it } from "vitest";
import { aCustomer, aJob, anAddress, aTruck } from "../../support/builders.ts";
import { describeInProcess, describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("search.find", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const find = (q: string, query = {}) => harness.ok("search.find", { query: { q, ...query } });
  const names = async (q: string) => (await find(q)).results.map(({ name }) => name);
  let potomac: number;
  let jobId: number;

  beforeAll(async () => {
    const contact = { name: "Dana Oakes", number: "(202) 555-0100" };
    const body = {
      addresses: [anAddress({ line_1: "1745 T Street SE", locality: "Washington", postcode: "20020" })],
      contacts: [contact],
      name: "Potomac Roofing",
      reference_number: 'AC-77 "B"',
    };
    potomac = (await harness.ok("customers.create", { params: atYard(), body: aCustomer(body) })).id;
    await harness.ok("customers.create", { params: atYard(), body: aCustomer({ name: "Café Müller" }) });
    await harness.ok("customers.create", { params: atYard(), body: aCustomer({ name: "The Potomac" }) });
    await harness.ok("trucks.create", { params: atYard(), body: aTruck({ name: "Hook 71" }) });
    const { addresses } = await harness.ok("customers.get", { params: { customer_id: potomac } });
    const changes = { address_id: addresses[0]?.id, reference_number: "WO-10023", requested_by: potomac };
    jobId = (await harness.ok("jobs.create", { params: atYard(), body: aJob(harness.acme, changes) })).id;
  });

  it("finds a customer by name, contact, address, reference and phone number, with any punctuation", async () => {
    for (const q of ["potomac roof", "dana", "1745 t street", "AC77 b", "ac-77", "5550100", "555 0100"])
      expect([q, (await find(q)).results[0]?.id]).toEqual([q, potomac]);
    expect((await find("+1 202.555.0100")).results[0]).toMatchObject({
      id: potomac,
      match: "exact",
      matched: "phone",
    });
    expect(await names("cafe muller")).toEqual(["Café Müller"]);
  });

  it("finds names with diacritics by words without them", async () => {
    for (const name of ["Nguyễn Family Market", "Ștefan Movers", "Trần Foods".normalize("NFD")])
      await harness.ok("customers.create", { params: atYard(), body: aCustomer({ name }) });
    for (const q of ["nguyen", "stefan", "tran foods"])
      expect([q, (await find(q)).results]).toMatchObject([
        q,
        [{ match: q === "tran foods" ? "exact" : "beginning" }],
      ]);
  });

  it("returns the contact to call, the addresses of jobs, and the next job", async () => {
    expect((await find("potomac roofing")).results[0]).toMatchObject({
      address: expect.stringContaining("1745 T Street SE"),
      contact_name: "Dana Oakes",
      contact_number: "(202) 555-0100",
      last_job: null,
      match: "exact",
      next_job: { id: jobId, reference_number: "WO-10023", state: "unassigned" },
    });
  });

  it("lists names that start with the words before names that contain them", async () => {
    expect(await names("potomac")).toEqual(["Potomac Roofing", "The Potomac"]);
  });

  it("tolerates typos only if no name matches exactly", async () => {
    expect((await find("potmac rofing")).results).toMatchObject([{ id: potomac, match: "near" }]);
    expect((await find("hok 71")).results).toEqual([]);
    expect((await find("WO-10023")).results[0]).toMatchObject({ id: jobId, kind: "job", match: "exact" });
  });

  it("returns the nearest names when no record matches all words, and nothing when none matches any", async () => {
    const { nearest, results } = await find("dana qqqqq");
    expect([results, nearest.map(({ id }) => id)]).toEqual([[], [potomac]]);
    expect(await find("qqqqq")).toEqual({ nearest: [], results: [], total_count: 0 });
    expect(await find("?!")).toEqual({ nearest: [], results: [], total_count: 0 });
  });

  it("reflects a change at once, and drops the old words", async () => {
    const { id } = await harness.ok("customers.create", {
      params: atYard(),
      body: aCustomer({ name: "Former" }),
    });
    await harness.ok("customers.update", { params: { customer_id: id }, body: { name: "Renamed Später" } });
    expect([await names("former"), await names("spater")]).toEqual([[], ["Renamed Später"]]);
    const params = { ...atYard(), job_id: jobId };
    await harness.ok("jobs.update", { params, body: { reference_number: "PO\\5" } });
    expect([(await find("wo10023")).results, (await find("po 5")).results[0]?.id]).toEqual([[], jobId]);
  });

  it("shows no caller more than the lists do: nothing of other tenants, and nothing hidden", async () => {
    const other = await harness.ok("search.find", { as: harness.globex.caller, query: { q: "potomac" } });
    expect(other).toEqual({ nearest: [], results: [], total_count: 0 });
    const hidden = await harness.ok("search.find", { as: "Driver", query: { q: "potomac" } });
    expect(hidden).toEqual({ nearest: [], results: [], total_count: 0 });
    const ofId = await harness.ok("search.find", { as: "ClientCustomer", query: { q: String(jobId) } });
    expect(ofId.results.filter(({ id, kind }) => kind === "job" && id === jobId)).toEqual([]);
  });

  it("never returns a declined job of a past day as the next job", async () => {
    const past = await harness.ok("jobs.create", {
      params: atYard(),
      body: aJob(harness.acme, { requested_by: harness.acme.customerId, truck_id: harness.acme.truckId }),
    });
    const params = { ...atYard(), job_id: past.id };
    const nextOf = async () => {
      const { results } = await find(String(harness.acme.customerId), { kind: "customer" });
      return results.find(({ id }) => id === harness.acme.customerId)?.next_job?.id;
    };
    const others = await nextOf();
    const decline = (schedule_date: string) =>
      harness.ok("jobs.update", { params, body: { is_declined: true, schedule_date } });
    await decline("2001-01-01T00:00:00.000000");
    expect(await nextOf()).toBe(others === past.id ? undefined : others);
  });

  it.each([
    ...[
      "NEAR(",
      "*",
      '"',
      "'; drop table jobs; --",
      "%",
      "_",
      "a* OR b",
      "^po",
      "{name}:x",
      "\u0301",
      "\u200b",
      "🚚",
    ],
    ...[
      "potomac\u0301 roofing",
      "NOT potomac AND roofing",
      "a ".repeat(128),
      "ß".repeat(256),
      "9".repeat(256),
    ],
  ])("treats %j as words and never as database syntax", async (q) => {
    const { results } = await find(q);
    const isOther = ({ kind, name }: { kind: string; name: string }) =>
      kind === "customer" && !/potomac/i.test(name);
    if (!/[a-z0-9ß]/i.test(q)) expect(results).toEqual([]);
    if (/potomac\W+roofing/.test(q)) expect(results.filter(isOther)).toEqual([]);
  });

  it("returns each tenant only its own records, even with equal names, phones and references", async () => {
    const body = aCustomer({
      contacts: [{ name: "Twin Dana", number: "303-555-0142" }],
      name: "Twin Falls",
      reference_number: "TW-9",
    });
    const sides = [
      { as: "Dispatcher" as const, location: harness.acme.locationId },
      { as: harness.globex.caller, location: harness.globex.locationId },
    ];
    const made: number[] = [];
    for (const { as, location } of sides)
      made.push((await harness.ok("customers.create", { as, params: { location_id: location }, body })).id);
    for (const q of ["twin falls", "twn fals", "3035550142", "tw9", "twin dana", String(made[0])])
      for (const { as } of sides) {
        const { nearest, results } = await harness.ok("search.find", { as, query: { kind: "customer", q } });
        const own = (await harness.ok("customers.list", { as })).results.map(({ id }) => id);
        expect([q, [...results, ...nearest].filter(({ id }) => !own.includes(id))]).toEqual([q, []]);
      }
  });

  it("finds every record of a kind that the lists show", async () => {
    const { results } = await harness.ok("customers.list", {});
    for (const { id, name } of results)
      expect((await find(name, { limit: 50 })).results.map((hit) => hit.id)).toContain(id);
  });
});

describeInProcess("search.find among many records with one name", (harness) => {
  it("finds a record with exactly that name, and a record that has the words in several fields", async () => {
    const params = { location_id: harness.acme.locationId };
    const create = (body: Parameters<typeof aCustomer>[0]) =>
      harness.ok("customers.create", { params, body: aCustomer(body) });
    const createStore = (number: number) =>
      create({
        contacts: [{ name: "Dana Oakes" }],
        name: `Corner Store ${number}`,
        addresses: [anAddress({ line_1: `${number} Elm` })],
      });
    // Create several customers at once, so that one commit stores them.
    for (let first = 0; first < 155; first += 5)
      await Promise.all([0, 1, 2, 3, 4].map((next) => createStore(first + next)));
    const { id } = await create({ name: "Corner Store" });
    const find = async (q: string) =>
      (await harness.ok("search.find", { query: { kind: "customer", q } })).results;
    expect((await find("corner  STORE"))[0]).toMatchObject({ id, match: "exact" });
    expect((await find("dana store"))[0]).toMatchObject({ match: "part" });
  });
});
