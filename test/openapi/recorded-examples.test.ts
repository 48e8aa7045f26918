import { describe, expect, it } from "vitest";
import { apiVersions } from "../../src/models/api-versions.ts";
import { toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { toAjv } from "../support/answer-validator.ts";

const operations = await loadOperations();

describe.each(apiVersions)("at %s", (version) => {
  const document = toOpenapi(operations, version);
  const ajv = toAjv(document);
  const isValid = (schema: Record<string, unknown>, value: unknown) => {
    ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')), value);
    return ajv.errors ?? [];
  };

  it("every operation has an example of its parameters, its body and its answer, and each is valid", () => {
    for (const entry of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      const name = entry.operationId;
      const own = entry.parameters.flatMap((parameter) => ("in" in parameter ? [parameter] : []));
      for (const { example, in: place, name: field, required, schema } of own) {
        if (required) expect([name, place, field, example]).not.toContain(undefined);
        if (example !== undefined) expect([name, field, isValid(schema, example)]).toEqual([name, field, []]);
      }
      const answer = entry.responses["200"];
      const contents = [
        entry.requestBody?.content,
        answer && "content" in answer ? answer.content : undefined,
      ];
      for (const content of contents) {
        const json = content?.["application/json"];
        if (!json) continue;
        expect([name, json.example]).not.toContain(undefined);
        expect([name, isValid(json.schema, json.example)]).toEqual([name, []]);
      }
    }
  });
});
