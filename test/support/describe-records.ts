import { beforeAll, describe, expect, it } from "vitest";
import type { OperationName } from "../../src/operations/index.ts";
import type { Json } from "./builders.ts";
import { describePaging } from "./describe-input.ts";
import type { Harness } from "./harness.ts";

interface RecordsUnderTest {
  /** The names of the operations. Leave out those that do not exist. */
  list: OperationName;
  create: OperationName;
  get?: OperationName;
  update?: OperationName;
  /** The name of the record's id in the path. */
  idName: string;
  /** The word for the record in errors and in the audit trail. */
  noun: string;
  type: string;
  /** The body of a new record. */
  valid(): Json;
  /** A change that is valid for every new record. */
  change: Json;
  /** The fields that only the answer for a single record has. */
  shownAlone?: Json;
}

type Shown = Json & { id: number };

/** Declares the tests that every kind of record of a location must pass. */
export function describeLocationRecords(harness: Harness, kind: RecordsUnderTest): void {
  const { change, create, get, idName, list, noun, shownAlone = {}, type, update, valid } = kind;
  const atYard = () => ({ location_id: harness.acme.locationId });
  const at = (id: number | string, location_id = harness.acme.locationId) => ({ [idName]: id, location_id });
  const make = async (call: object = {}) =>
    (await harness.ok(create, { params: atYard(), body: valid(), ...call })) as Shown;
  const trail = (id: number) =>
    harness.store.rows("audit").filter((row) => row.record_type === type && row.record_id === id);

  describe("the records of a location", () => {
    let foreign: Shown;
    let northId: number;
    let inTheNorth: Shown;

    beforeAll(async () => {
      const { caller, locationId } = harness.globex;
      foreign = await make({ as: caller, params: { location_id: locationId } });
      northId = (await harness.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
      inTheNorth = await make({ params: { location_id: northId } });
      await make();
      await make();
    });

    it("are listed by id as they were returned, without records of other locations and tenants", async () => {
      const made = await make();
      const { results } = (await harness.ok(list, { params: atYard(), query: { page_limit: 1000 } })) as {
        results: Shown[];
      };
      expect(results.at(-1)).toEqual(made);
      const ids = results.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(ids).not.toContain(inTheNorth.id);
      expect(ids).not.toContain(foreign.id);
      const north = await harness.ok(list, { params: { location_id: northId } });
      expect(north).toMatchObject({ results: [inTheNorth], total_count: 1 });
      if (get) expect(await harness.ok(get, { params: at(made.id) })).toEqual({ ...made, ...shownAlone });
    });

    it("are visible only at one location of the tenant: any other location answers 404", async () => {
      const before = harness.store.contents();
      for (const location_id of [999_999, harness.globex.locationId]) {
        const calls = [
          await harness.refused(list, { params: { location_id } }),
          await harness.refused(create, { params: { location_id }, body: valid() }),
        ];
        for (const error of calls)
          expect(error).toMatchObject({ status: 404, detail: `There is no location ${location_id}.` });
      }
      expect(harness.store.contents()).toEqual(before);
    });

    it("leave a row in the audit trail when they are created", async () => {
      const { id } = await make();
      const [row, ...others] = trail(id);
      expect(others).toEqual([]);
      expect(row).toMatchObject({ action: "created", before: null, operation: create });
      expect(JSON.parse(String(row?.after))).toMatchObject({ id, location_id: harness.acme.locationId });
    });

    const one = [get, update].filter((name) => name !== undefined);
    if (one.length > 0)
      it("of another tenant or location answer like missing ones", async () => {
        const { id } = await make();
        const before = harness.store.contents();
        const others = [
          at(999_999),
          at(foreign.id),
          at(foreign.id, harness.globex.locationId),
          at(inTheNorth.id),
          at(id, northId),
        ];
        for (const params of others) {
          for (const name of one) {
            const body = name === update ? change : undefined;
            const error = await harness.refused(name, { params, body });
            expect(error).toMatchObject({ status: 404, detail: `There is no ${noun} ${params[idName]}.` });
          }
        }
        expect(harness.store.contents()).toEqual(before);
      });

    if (update)
      it("change as the PATCH says; a PATCH without a change writes nothing", async () => {
        const made = await make();
        const changed = await harness.ok(update, { params: at(made.id), body: change });
        expect(changed).not.toEqual(made);
        expect(changed).toEqual({ ...made, ...shownOf(changed as Shown, change) });
        const rows = trail(made.id);
        expect(rows.map(({ action }) => action)).toEqual(["created", "updated"]);
        expect(Object.keys(JSON.parse(String(rows[1]?.after)))).toEqual(
          expect.arrayContaining(Object.keys(change)),
        );
        const before = harness.store.contents();
        for (const body of [{}, change])
          expect(await harness.ok(update, { params: at(made.id), body })).toEqual(changed);
        expect(harness.store.contents()).toEqual(before);
      });

    if (update)
      it("stay unchanged in a dry run", async () => {
        const { id } = await make();
        const before = harness.store.contents();
        await harness.ok(update, { params: at(id), body: change, dryRun: true });
        await harness.ok(create, { params: atYard(), body: valid(), dryRun: true });
        expect(harness.store.contents()).toEqual(before);
      });

    const query = (texts: Record<string, string>) => harness.call(list, { params: atYard(), query: texts });
    describePaging(query);
  });
}

/** The changed fields that answers contain. Some fields exist only in requests. */
function shownOf(answer: Shown, change: Json): Json {
  return Object.fromEntries(Object.entries(change).filter(([name]) => name in answer));
}
