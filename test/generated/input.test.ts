import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import type { Operation } from "../../src/core/operation.ts";
import type { ErrorBody } from "../../src/errors/errors.ts";
import { fieldKinds } from "../../src/models/fields.ts";
import { modelName, type Shape } from "../../src/models/model.ts";
import { unwrap } from "../../src/models/parse.ts";
import { loadOperations } from "../../src/operations/index.ts";
import type { Json } from "../support/builders.ts";
import { noIntegerTexts, toViolations } from "../support/describe-input.ts";
import { describeFixtureOnSqlite } from "../support/fixture.ts";
import type { HarnessCall } from "../support/harness.ts";
import { refusedNames } from "../support/refused-names.ts";
import { isUuid } from "../support/role-table.ts";
import { validBodies } from "../support/valid-bodies.ts";
import { nameOf, toDryCall, toValidCall } from "../support/valid-call.ts";

const operations = await loadOperations();
const withBody = operations.filter(({ body }) => body !== null);
const withoutBody = operations.filter(({ body, route }) => body === null && !route.startsWith("GET "));
const withQuery = operations.filter(({ query }) => Object.keys(query).length > 0);

/** Names that no answer contains, and names that every JavaScript object has. */
const unknownNames = ["colour", "", "constructor", "hasOwnProperty", "toString", "__proto__"];

/** Path ids that are not a positive Integer, with their refusals. */
const noIds = [
  ...[...noIntegerTexts, "%00", "../1"].map((text) => [text, "wrong_type"] as const),
  ["0", "too_small"],
  ["-1", "too_small"],
  ["9007199254740992", "too_big"],
] as const;

/** The bounds of the Integers in queries that are not ids. */
const bounds: Readonly<Record<string, readonly [number, number]>> = {
  limit: [1, 50],
  max_address_edit_distance: [0, 999],
  page_after: [0, Number.MAX_SAFE_INTEGER],
  page_index: [1, 10_000],
  page_limit: [1, 1000],
};

/** The same for UUIDs. */
const noUuids = ["abc", "17", " 1", "1.0", "%00", "../1"].map((text) => [text, "invalid_format"] as const);

describeFixtureOnSqlite("input that is refused", (fixture) => {
  const send = async (operation: Operation, changes: HarnessCall) =>
    toViolations(
      await fixture.harness.call(nameOf(operation), { ...toValidCall(operation, fixture), ...changes }),
    );

  // Both transports check input with the same code, so over HTTP one operation is enough.
  const eachOrOne = <One>(all: readonly One[]) =>
    fixture.harness.transport.name === "HTTP" ? all.slice(0, 1) : all;

  let before: unknown;
  beforeAll(() => {
    before = fixture.harness.store.contents();
  });

  describe("the body", () => {
    it.each(eachOrOne(withBody))(
      "of $name takes no field that its model does not list",
      async (operation) => {
        const { body } = toValidCall(operation, fixture);
        for (const name of [...unknownNames, ...(refusedNames[modelOf(operation)] ?? [])]) {
          const violation = ["unknown_field", `${modelOf(operation)}.${name}`];
          expect(await send(operation, { body: { ...body, [name]: 1 } })).toEqual([400, violation]);
        }
      },
    );

    it.each(eachOrOne(withBody))("of $name is a JSON object", async (operation) => {
      const model = modelOf(operation);
      expect(await send(operation, { body: undefined })).toEqual([400, ["missing_body", model]]);
      expect(await send(operation, { body: null })).toEqual([400, ["missing_value", model]]);
      const { body: valid } = toValidCall(operation, fixture);
      for (const body of [[], [{}], [valid], "text", 1, true]) {
        expect(await send(operation, { body })).toEqual([400, ["wrong_type", model]]);
      }
    });

    it.each(eachOrOne(withBody.filter((operation) => requiredOf(operation).length > 0)))(
      "of $name needs its required fields, and one answer names all that are missing",
      async (operation) => {
        const missing = (name: string) => ["missing_value", `${modelOf(operation)}.${name}`];
        const required = requiredOf(operation);
        expect(toSorted(await send(operation, { body: {} }))).toEqual([
          400,
          ...required.map(missing).toSorted(),
        ]);
        const { body = {} } = toValidCall(operation, fixture);
        for (const name of required) {
          const { [name]: _taken, ...rest } = body;
          expect(await send(operation, { body: rest })).toEqual([400, missing(name)]);
          expect(await send(operation, { body: { ...body, [name]: null } })).toEqual([400, missing(name)]);
        }
      },
    );

    it.each(eachOrOne(withBody))(
      "of $name takes only values of the right JSON type, and one answer names all that are wrong",
      async (operation) => {
        const shape = shapeOf(operation);
        const body: Json = Object.fromEntries(
          Object.keys(shape).map((name) => [name, toWrongType(shape[name])]),
        );
        const wrong = Object.keys(shape).map((name) => ["wrong_type", `${modelOf(operation)}.${name}`]);
        expect(toSorted(await send(operation, { body }))).toEqual([400, ...wrong.toSorted()]);
      },
    );

    it.each(eachOrOne(withoutBody))("of $name must be absent", async (operation) => {
      for (const body of [{}, null, []]) {
        expect(await send(operation, { body })).toEqual([400, ["unexpected_body", null]]);
      }
    });
  });

  describe("the query", () => {
    it.each(eachOrOne(operations))(
      "of $name takes no parameter that the operation does not list",
      async (operation) => {
        for (const name of [...unknownNames, "id"]) {
          // An object literal would set the prototype for `__proto__`.
          const query = Object.fromEntries([[name, "1"]]);
          const [status, ...violations] = (await send(operation, { query })) as [
            number,
            ...[string, string][],
          ];
          // Only the parameters that the operation requires.
          const others = violations.filter(([code]) => code !== "missing_value");
          expect([status, ...others]).toEqual([400, ["unknown_parameter", name]]);
        }
      },
    );

    it.each(eachOrOne(withQuery))(
      "of $name takes only parameter values of the right type, and one answer names all that are wrong",
      async (operation) => {
        const names = Object.keys(operation.query).filter((name) => refusesWords(operation.query[name]));
        const query = Object.fromEntries(names.map((name) => [name, "no such value"]));
        if (names.length === 0) return;
        const [status, ...violations] = toSorted(await send(operation, { query }));
        // Only the parameters that the operation requires.
        const others = violations.filter(([code]) => code !== "missing_value");
        const fields = others.map(([, field]) => field);
        expect([status, ...fields.toSorted()]).toEqual([400, ...names.toSorted()]);
      },
    );
  });

  describe("the query of an operation", () => {
    /** Violations of one parameter. Others may be missing or unknown. */
    const violationsOf = async (operation: Operation, name: string, text: string) => {
      const valid = toDryCall(operation, fixture);
      const query = { ...valid.query, [name]: text };
      const { status, body } = await fixture.harness.call(nameOf(operation), { ...valid, query });
      if (status !== 400) return [];
      return (body as ErrorBody).errors.filter(({ field }) => field === name).map(({ code }) => code);
    };
    const expectEach = async (
      { name, operation }: QueryParameter,
      texts: readonly (string | number)[],
      violations: readonly string[],
    ) => {
      for (const text of texts)
        expect([text, await violationsOf(operation, name, String(text))]).toEqual([text, violations]);
    };

    it.each(parametersOf("boolean"))(
      "takes $name of $operation.name as 0, 1, true, or false in any case",
      async (parameter) => {
        await expectEach(parameter, ["0", "1", "true", "True", "TRUE", "false", "False", "FALSE"], []);
        await expectEach(parameter, ["", "2", "-1", "yes", "t", " true", "null"], ["wrong_type"]);
      },
    );

    it.each(parametersOf("integer"))(
      "takes $name of $operation.name within its bounds, written as an Integer",
      async (parameter) => {
        const [min, max] = bounds[parameter.name] ?? [1, Number.MAX_SAFE_INTEGER];
        await expectEach(parameter, [min, max], []);
        await expectEach(parameter, [min - 1], ["too_small"]);
        await expectEach(
          parameter,
          [max === Number.MAX_SAFE_INTEGER ? "9007199254740992" : max + 1],
          ["too_big"],
        );
        await expectEach(parameter, [...noIntegerTexts, ""], ["wrong_type"]);
      },
    );

    it.each(parametersOf("timestamp"))(
      "takes $name of $operation.name as an ISO 8601 date",
      async (parameter) => {
        const when = fieldKinds.get(unwrap(parameter.operation.query[parameter.name] as z.ZodType))?.when;
        await expectEach(parameter, [when === "future" ? "2031-05-04" : "2020-02-29T23:59:59.5+02:00"], []);
        await expectEach(parameter, ["soon", "", "1", "2021-02-29", "2020-01-01T25:00"], ["invalid_date"]);
        if (when === "past") await expectEach(parameter, ["2031-05-04"], ["not_past"]);
        if (when === "future") await expectEach(parameter, ["2020-02-29"], ["not_future"]);
      },
    );
  });

  it.each(eachOrOne(operations.filter(({ params }) => Object.keys(params).length > 0)))(
    "answers 400 and not 404 for an invalid id in the path of $name",
    async (operation) => {
      const { params } = toValidCall(operation, fixture);
      for (const name of Object.keys(params)) {
        for (const [text, code] of isUuid(name) ? noUuids : noIds) {
          const violations = await send(operation, { params: { ...params, [name]: text } });
          expect([text, violations]).toEqual([text, [400, [code, name]]]);
        }
      }
    },
  );

  it("leaves the store unchanged", () => {
    expect(fixture.harness.store.contents()).toEqual(before);
  });
});

describe("the table of valid bodies", () => {
  it("has a row for each model of a body, and no other row", () => {
    const taken = new Set(withBody.map(modelOf));
    const written = Object.keys(validBodies).toSorted();
    expect(written, "add it to test/support/valid-bodies.ts").toEqual([...taken].toSorted());
    expect(Object.keys(refusedNames).filter((model) => !taken.has(model))).toEqual([]);
  });
});

function modelOf({ body }: Operation): string {
  return body ? modelName(body) : "";
}

function shapeOf({ body }: Operation): Shape {
  return body?.shape ?? {};
}

function requiredOf(operation: Operation): string[] {
  const shape = shapeOf(operation);
  return Object.keys(shape).filter((name) => shape[name]?.type !== "optional");
}

/** Returns a JSON value that no field of the kind accepts. */
function toWrongType(field: z.ZodType | undefined): unknown {
  const inner = field && unwrap(field);
  return inner?.type === "array" || inner?.type === "object" ? "text" : [];
}

interface QueryParameter {
  name: string;
  operation: Operation;
}

/** The query parameters of a kind. Optional ones have their own tests. */
function parametersOf(kind: "boolean" | "integer" | "timestamp"): QueryParameter[] {
  const byReader = new Map<string | z.ZodType, QueryParameter>();
  for (const operation of withQuery)
    for (const [name, field] of Object.entries(operation.query)) {
      const reader = unwrap(field);
      const found = fieldKinds.get(reader);
      if (found?.name === kind && found.input.type === kind) byReader.set(reader, { name, operation });
      else if (found?.name === kind && kind !== "integer") byReader.set(reader, { name, operation });
    }
  return [...byReader.values()];
}

function refusesWords(field: z.ZodType | undefined): boolean {
  const kind = field && fieldKinds.get(unwrap(field));
  return kind !== undefined && (kind.name !== "text" || "pattern" in kind.input || "format" in kind.input);
}

/** The status, and the violations by field. */
function toSorted(answer: unknown): [number, ...string[][]] {
  const [status, ...violations] = answer as [number, ...string[][]];
  return [status, ...violations.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))];
}
