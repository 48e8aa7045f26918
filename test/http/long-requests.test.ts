import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { aCustomer, anAddress, aTruck } from "../support/builders.ts";
import { describeOverHttp, describeOverHttpOnEveryDatabase } from "../support/targets.ts";

const listedMax = 250;

describeOverHttp("a long list", (harness) => {
  it("is complete and has the entity tag of its bytes, like a short one", async () => {
    const { locationId } = harness.acme;
    const params = { location_id: locationId };
    const notes = "€".repeat(2000);
    for (let made = 0; made < 25; made += 1)
      await harness.ok("trucks.create", { params, body: aTruck({ notes: `${made} ${notes}` }) });
    for (const limit of [2, 25]) {
      const path = `/locations/${locationId}/trucks?page_limit=${limit}`;
      const { headers, text } = await harness.send({ headers: harness.headersOf("Dispatcher"), path });
      const { results } = JSON.parse(text) as { results: { notes: string | null }[] };
      expect(results).toHaveLength(limit);
      for (const truck of results) expect(truck.notes ?? `0 ${notes}`).toMatch(/^\d+ €{2000}$/);
      expect(headers.etag).toBe(`"${createHash("sha1").update(text).digest("base64url")}"`);
    }
  });
});

describeOverHttpOnEveryDatabase("a long request", (harness) => {
  const create = (name: string) =>
    harness.ok("customers.create", {
      params: { location_id: harness.acme.locationId },
      body: aCustomer({
        addresses: Array.from({ length: listedMax }, (_, index) => anAddress({ line_1: `${index} ${name}` })),
        contacts: Array.from({ length: listedMax }, (_, index) => ({ name: `Dana ${index}` })),
        name,
      }),
    });

  /** Sends requests one after another while `work` runs. Returns their answers. */
  async function askDuring<T>(work: Promise<unknown>, ask: () => Promise<T>): Promise<T[]> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    const answers: T[] = [];
    while (!isDone) {
      const answer = await ask();
      if (!isDone) answers.push(answer);
    }
    await done;
    return answers;
  }

  async function askMeanwhile<T>(name: string, ask: () => Promise<T>): Promise<T[]> {
    const made = create(name);
    const answers = await askDuring(made, ask);
    expect((await made).addresses).toHaveLength(listedMax);
    return answers;
  }

  it("such as a customer with 250 addresses and contacts, lets the server answer others", async () => {
    // The first request loads the code.
    await create("A Street");
    const answers = await askMeanwhile("B Street", () => harness.send({ path: "/healthz" }));
    // Up to two answers are independent of the work: one before the change, and one during its commit.
    expect(answers.length).toBeGreaterThan(3);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("such as a batch of long writes, lets the server answer others between them", async () => {
    const { id } = await create("D Street");
    const changes = 30;
    const operations = Array.from({ length: changes }, (_, number) => ({
      method: "PATCH",
      path: `/customers/${id}`,
      body: { name: `D Street ${number}` },
    }));
    const batch = harness.ok("batch.run", { body: { operations } });
    const answers = await askDuring(batch, () => harness.send({ path: "/healthz" }));
    // A request and its answer take more than one turn of the event loop.
    expect(answers.length).toBeGreaterThan(changes / 3);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("shows no partial result", async () => {
    const answers = await askMeanwhile("C Street", () =>
      harness.ok("customers.list", { query: { name: "C Street" } }),
    );
    const { results } = await harness.ok("customers.list", { query: { name: "C Street" } });
    expect(results).toMatchObject([{ addresses: { length: listedMax }, contacts: { length: listedMax } }]);
    const seen = answers.flatMap((list) => list.results);
    for (const customer of seen) expect(customer).toEqual(results[0]);
  });
});
