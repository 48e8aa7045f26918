import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString } from "openapi-typescript";
import { generate } from "orval";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ZodType } from "zod";
import { isDocument } from "../../src/core/operation.ts";
import { operationsAt } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { describeFixtureOverHttp } from "../support/fixture.ts";
import { nameOf, toDryCall } from "../support/valid-call.ts";
import { documentsOfEnds } from "./documents.ts";
import { compile, makeFolder } from "./generated.ts";

// Operations of the server itself run on a separate server.
const operations = (await loadOperations()).filter(({ ofServer }) => !ofServer);

const folder = makeFolder();
afterAll(folder.remove);

describe.each(documentsOfEnds)("code generated from the document of $version", ({ text, version }) => {
  const place = join(folder.path, version.replaceAll("/", "-"));
  const heyApi = join(place, "hey-api");
  const orval = join(place, "orval");

  beforeAll(async () => {
    mkdirSync(place);
    const document = join(place, "openapi.json");
    writeFileSync(document, text);
    writeFileSync(join(place, "openapi-typescript.ts"), astToString(await openapiTS(Buffer.from(text))));
    writeFileSync(join(place, "typed.ts"), toTypedUse(version));
    await createClient({
      input: document,
      logs: { file: false, level: "silent" },
      output: heyApi,
      plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk", "zod"],
    });
    writeFileSync(join(place, "called.ts"), toCall(version));
    await generate({
      input: { target: document },
      output: { client: "zod", mode: "single", target: join(orval, "zod.ts") },
    });
  });

  describeFixtureOverHttp("accepts what a server answers:", (fixture) => {
    it.each([
      ["hey-api", join(heyApi, "zod.gen.ts"), toHeyApiName],
      ["orval", join(orval, "zod.ts"), toOrvalName],
    ] as const)("the zod schemas of %s", async (_tool, file, nameIn) => {
      const schemas: Record<string, ZodType> = await import(file);
      const refused: unknown[] = [];
      for (const operation of operationsAt(operations, version)) {
        if (operation.body || isDocument(operation.output)) continue;
        const { body } = await fixture.harness.call(nameOf(operation), {
          ...toDryCall(operation, fixture),
          version,
        });
        const schema = schemas[nameIn(operation.name)];
        const read = schema?.safeParse(body);
        if (!read?.success) refused.push([operation.name, read?.error.issues ?? "no schema"]);
      }
      expect(refused).toEqual([]);
    });
  });
});

it("compiles under tsc --strict: openapi-typescript, hey-api, orval, and programs that use them", () => {
  expect(compile(folder.path)).toEqual([]);
});

const toPascal = (name: string) =>
  name.replaceAll(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase());

const toHeyApiName = (name: string) => `z${toPascal(name)}Response`;

const toOrvalName = (name: string) =>
  `${toPascal(name).replace(/^\w/, (letter) => letter.toLowerCase())}Response`;

function toTypedUse(version: string): string {
  return `
import type { components, operations, webhooks } from "./openapi-typescript";
type Header = operations["customers.list"]["parameters"]["header"];
export const header: Header = { "x-api-version": "${version}", "x-tenant-id": 1 };
// A client may add both headers to every request.
export const without: Header = {};
// @ts-expect-error another version has its own document
export const ofAnother: Header = { "x-api-version": "2021/05/07", "x-tenant-id": 1 };
export function isBilling(address: components["schemas"]["CustomerAddressModel"]): boolean {
  return address.is_billing;
}
type Body<Kind extends keyof webhooks> = webhooks[Kind]["post"]["requestBody"]["content"]["application/json"];
export function describe(event: Body<"Job"> | Body<"Truck">): string | null {
  if (event.type === "Truck") return event.data.name;
  const action: "created" | "updated" | "dispatched" | "returned" | "acknowledged" | "declined" | "completed" | "failed" | "deleted" | "restored" = event.action;
  return action;
}
`;
}

function toCall(version: string): string {
  return `
import { customersList } from "./hey-api";
export async function listNames(): Promise<(string | null)[]> {
  const { data } = await customersList({ headers: { "x-api-version": "${version}", "x-tenant-id": 1 } });
  return (data?.results ?? []).map(({ name }) => name);
}
// A client may add the headers to every request.
export const without = () => customersList();
`;
}
