import { describe, expect, it } from "vitest";
import * as z from "zod";
import { apiVersions } from "../../../src/models/api-versions.ts";
import { DispatchCustomerLocationModel } from "../../../src/models/customer.ts";
import { id, jsonObject, text } from "../../../src/models/fields.ts";
import { JobListModel } from "../../../src/models/job.ts";
import { defineModel, list, nullable } from "../../../src/models/model.ts";
import { Modelled, oneOf } from "../../../src/models/one-of.ts";
import { changes } from "../../../src/models/versions/index.ts";
import { toJson } from "../../../src/models/versions/serializer.ts";

const Inner = defineModel("WalkInner", { zeta: text(0, 9), alpha: nullable(id()) });
const Outer = defineModel("WalkOuter", {
  one: nullable(Inner),
  many: list(Inner),
  name: nullable(text(0, 9)),
});

describe("writing an answer", () => {
  it("sorts keys alphabetically at every level", () => {
    const value = { one: { zeta: "z", alpha: 1 }, name: "n", many: [{ zeta: "y", alpha: 2 }] };
    expect(toJson(Outer, value, "2023/04/19")).toBe(
      '{"many":[{"alpha":2,"zeta":"y"}],"name":"n","one":{"alpha":1,"zeta":"z"}}',
    );
  });

  it("writes null for missing values, and no unlisted field", () => {
    const value = { many: [{}], secret: "s", one: undefined };
    expect(toJson(Outer, value, "2023/04/19")).toBe(
      '{"many":[{"alpha":null,"zeta":null}],"name":null,"one":null}',
    );
  });

  it("escapes texts as JSON does", () => {
    const awkward = '"\\\u0000\u001f\n\u2028😀\ud800';
    expect(JSON.parse(toJson(Outer, { many: [], name: awkward }, "2023/04/19")).name).toBe(awkward);
  });

  it("does not change the record", () => {
    const customer = Object.freeze({ id: 7, name: "n", addresses: [], contacts: [] });
    expect(JSON.parse(toJson(DispatchCustomerLocationModel, customer, "2019/02/08")).customer_id).toBe(7);
    expect(customer).toEqual({ id: 7, name: "n", addresses: [], contacts: [] });
  });

  it("writes one record separately for each version", () => {
    const customer = Object.freeze({ id: 7, name: "n", addresses: [], contacts: [] });
    const idNames = apiVersions.map((version) => {
      const written = JSON.parse(toJson(DispatchCustomerLocationModel, customer, version));
      return Object.keys(written).filter((key) => written[key] === 7);
    });
    expect(idNames).toEqual(apiVersions.map((version) => [version < "2021/04/07" ? "customer_id" : "id"]));
  });

  it("covers models inside of lists and other models", () => {
    const job = { created_by: 3, customer: { id: 7, locations: [], name: "n" } };
    const page = { current_limit: 1, current_page: 1, results: [job], total_count: 1, total_pages: 1 };
    const at = (version: (typeof apiVersions)[number]) =>
      JSON.parse(toJson(JobListModel, page, version)).results[0];
    expect(at("2021/08/02")).toMatchObject({ created_by_id: 3, customer: { id: 7, locations: [] } });
    expect(at("2021/11/04")).toMatchObject({ created_by: 3, customer: { id: 7, location_id: null } });
  });
});

describe("writing a field without a model of its own", () => {
  const Free = defineModel("WalkFree", { any: nullable(jsonObject()) });
  const write = (any: unknown) => toJson(Free, { any }, "2023/04/19");

  it("sorts the keys of a JSON object alphabetically at every depth", () => {
    const deep = { b: [{ z: 1, a: { d: null, c: "x" } }], a: {}, B: true };
    expect(write(deep)).toBe('{"any":{"B":true,"a":{},"b":[{"a":{"c":"x","d":null},"z":1}]}}');
    const names = '{"any":{"__proto__":1,"constructor":"ö😀\\n"}}';
    expect(write(JSON.parse(names).any)).toBe(names);
    expect(write(null)).toBe('{"any":null}');
    const Headers = defineModel("WalkHeaders", { headers: z.record(z.string(), z.string()) });
    expect(toJson(Headers, { headers: { b: "1", a: "2" } }, "2023/04/19")).toBe(
      '{"headers":{"a":"2","b":"1"}}',
    );
  });

  it("writes a value of several possible models by the model that it names, at the version", () => {
    const Choice = defineModel("WalkChoice", { data: oneOf([Inner, DispatchCustomerLocationModel]) });
    const at = (version: (typeof apiVersions)[number], data: unknown) =>
      JSON.parse(toJson(Choice, { data }, version)).data;
    const customer = new Modelled(DispatchCustomerLocationModel, { id: 7 });
    expect(at("2019/02/08", customer)).toMatchObject({ customer_id: 7 });
    expect(at("2021/04/07", customer)).toMatchObject({ id: 7 });
    expect(at("2023/04/19", new Modelled(Inner, { zeta: "z" }))).toEqual({ alpha: null, zeta: "z" });
  });
});

describe("the list of changes", () => {
  it("is in the order of the versions, and each is a version of the interface", () => {
    const introduced = changes.map((change) => change.introduced);
    expect(introduced).toEqual(introduced.toSorted());
    for (const version of introduced) expect(apiVersions).toContain(version);
  });
});
