import { describe, expect, it } from "vitest";
import type * as z from "zod";
import type { Operation } from "../../src/core/operation.ts";
import { type AnswerModel, entryModel, type Shape } from "../../src/models/model.ts";
import { unwrap } from "../../src/models/parse.ts";
import {
  loadOperation,
  loadOperations,
  operationNames,
  storeOperationNames,
} from "../../src/operations/index.ts";
import { kindOfField, kindOfList, kindOfNoun } from "../../src/records/find-kind.ts";
import type { RecordKind } from "../../src/records/record-kind.ts";
import { recordKinds, serviceNouns } from "../../src/records/record-kinds.ts";
import { type ReferencedTable, retirements } from "../../src/store/queries/references.ts";
import { type OwnedTable, type OwnedTableFacts, ownedTables } from "../../src/store/schema/database.ts";

const operations = [
  ...(await loadOperations()),
  ...(await Promise.all(storeOperationNames.map((name) => loadOperation(name)))),
];
const everyKind = recordKinds.map((kind) => [kind.noun, kind] as const);

/** Ids of no kind of record: from other systems, of a request, or of a record whose kind is in a second field. */
const ofNoKind = [
  "audit_id",
  "job_group_id",
  "line_item_id",
  "merged_with_route_id",
  "record_id",
  "request_id",
  "sales_rep_id",
  "suspension_id",
  "trailer_id",
];

describe("the kinds of records", () => {
  it("have one noun each, and every operation belongs to one kind, except the search and the operations of the server", () => {
    const nouns = recordKinds.map(({ noun }) => noun);
    expect(new Set(nouns).size).toBe(nouns.length);
    const others: string[] = serviceNouns.map(({ noun }) => noun);
    const used = new Set(operations.map(({ name }) => name.split(".")[0] ?? ""));
    for (const noun of others) used.delete(noun);
    expect([...nouns, "search"].sort()).toEqual([...used].sort());
  });

  it("cover every operation that lists, gets, creates, updates or removes", () => {
    const named = new Set(recordKinds.flatMap(operationsOf));
    const verbs = /\.(?:list|get|create|add|update|remove|delete)$/;
    const others: readonly string[] = serviceNouns.map(({ noun }) => noun);
    const known = [...operationNames, ...storeOperationNames].filter(
      (name) => verbs.test(name) && !others.includes(name.split(".")[0] ?? ""),
    );
    expect(known.filter((name) => !named.has(name))).toEqual([]);
  });

  it("cover each table of a tenant once, except tables that belong to another kind", () => {
    const tables = recordKinds.map(({ table }) => table);
    expect(new Set(tables).size).toBe(tables.length);
    const facts: [string, OwnedTableFacts][] = Object.entries(ownedTables);
    const parts = facts.filter(([, { partOf }]) => partOf !== undefined).map(([name]) => name);
    const left = Object.keys(ownedTables).filter((name) => !tables.includes(name as OwnedTable));
    const where = "add a kind to src/records/record-kinds.ts, or `partOf` in src/store/schema/database.ts";
    expect(left.sort(), where).toEqual(parts.sort());
    expect(facts.filter(([, { partOf }]) => partOf && !tables.includes(partOf))).toEqual([]);
  });

  it("are named by every field and parameter that is an id", () => {
    const fields = new Set(operations.flatMap(inputsOf).filter((field) => /_(?:id|ids|uuid)$/.test(field)));
    const unknown = [...fields].filter((field) => kindOfField(field) === null);
    expect(unknown.sort(), "name it in `namedBy` in src/records/record-kinds.ts").toEqual(ofNoKind);
  });

  it("are named by no field twice", () => {
    const fields = recordKinds.flatMap(({ namedBy = [] }) => namedBy);
    expect(new Set(fields).size).toBe(fields.length);
  });
});

describe.each(everyKind)("%s", (_noun, kind) => {
  it("belongs to an existing kind, which the path of its operations names", async () => {
    if (kind.within === undefined) return;
    const { idParam = "" } = kindOfNoun(kind.within) ?? {};
    const paths = operations.filter(({ name }) => operationsOf(kind).includes(name as never));
    expect(idParam).not.toBe("");
    expect(paths.filter(({ params }) => idParam in params).length).toBeGreaterThan(0);
  });

  it("has its id where its operations expect and show it", async () => {
    const { get, idParam, list, namedBy = [], update } = kind;
    if (idParam !== undefined) expect(namedBy[0]).toBe(idParam);
    for (const name of [get, update]) {
      if (name !== undefined) expect(Object.keys((await loadOperation(name)).params)).toContain(idParam);
    }
    if (list === undefined) return;
    const { idFields = ["id"] } = (await loadOperation(list)).reads.listing ?? {};
    expect(Object.keys(await listedShape(list))).toContain(idFields[0]);
  });

  it("is identified by fields that its list shows", async () => {
    if (kind.list === undefined) return;
    const shape = await listedShape(kind.list);
    const paths = [...(kind.knownBy ?? []), ...(kind.toldApartBy ?? []).flat()];
    expect(paths.filter((path) => !((path.split(".")[0] ?? "") in shape))).toEqual([]);
    expect(Object.keys(kind.setLast ?? {}).filter((field) => !(field in shape))).toEqual([]);
  });

  it("is retired by a value, and the store then refuses new references to it", async () => {
    const retirement = retirements[kind.table as ReferencedTable];
    if (retirement === undefined || kind.list === undefined) return;
    const { column, value } = retirement;
    // The list of dump destinations leaves out inactive ones, so nobody copies them.
    if (column === null || !(column in (await listedShape(kind.list)))) return;
    expect(kind.setLast).toEqual({ [column]: value });
  });

  it("is recognized by fields that its answers have", async () => {
    const { create, listAtLocation, list, matchKeys = [], rowKey } = kind;
    const shown = listAtLocation ?? list;
    const shape = {
      ...(create && shapeOf(await loadOperation(create))),
      ...(shown && (await listedShape(shown))),
    };
    const fields = [...matchKeys.flatMap((key) => key.fields), ...(rowKey === undefined ? [] : [rowKey])];
    const own = fields.map((field) => field.split(".")[0] ?? "").filter((field) => field !== "locations");
    expect(own.filter((field) => !(field in shape))).toEqual([]);
  });

  it("sends its list only valid parameters", async () => {
    for (const name of [kind.list, kind.listAtLocation]) {
      if (name === undefined) continue;
      const { query } = await loadOperation(name);
      expect(Object.keys(kind.openQuery ?? {}).filter((field) => !(field in query))).toEqual([]);
      expect(kindOfList(name)).toBe(kind);
    }
  });
});

function operationsOf(kind: RecordKind) {
  const { create, get, list, listAtLocation, remove, update } = kind;
  return [create, get, list, listAtLocation, remove, update].filter((name) => name !== undefined);
}

function inputsOf({ body, params, query }: Operation): string[] {
  return [params, query, body?.shape ?? {}].flatMap((shape) => Object.keys(shape));
}

const shapeOf = ({ output }: Operation): Shape => entryModel(output as AnswerModel).shape;

async function listedShape(name: Parameters<typeof loadOperation>[0]): Promise<Shape> {
  const { results } = shapeOf(await loadOperation(name));
  return (unwrap((results as z.ZodArray<z.ZodType>).element) as z.ZodObject<Shape>).shape;
}
