import { errorTable } from "../errors/errors.ts";
import type { JsonSchema } from "../models/fields.ts";
import type { Failure } from "./error-codes.ts";
import { errorHeadersOf, type Header, type Ref } from "./headers.ts";

/** An answer, by status, as operations refer to it or as it is written out. */
export interface Answer {
  description: string;
  headers: Record<string, Header | Ref>;
  content: Record<string, { schema: Record<string, unknown>; example?: unknown }>;
}

/** The answer to a failure, in both media types; its description lists the codes (OP-20). */
export function toErrorResponse({ codes, name, status }: Failure): Answer {
  const code = { $ref: `#/components/schemas/${codesNameOf(name)}` };
  const contentOf = (model: string) => ({
    schema: { allOf: [{ $ref: `#/components/schemas/${model}` }, { type: "object", properties: { code } }] },
  });
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorTable[code].title}`).join("\n"),
    headers: errorHeadersOf(status),
    content: {
      "application/json": contentOf("ErrorModel"),
      "application/problem+json": contentOf("ProblemModel"),
    },
  };
}

/** The codes of failures as a schema each, by component name. */
export function toErrorCodes(failures: readonly Failure[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    failures.map(({ codes, name }) => [codesNameOf(name), { type: "string", enum: [...codes] }]),
  );
}

const codesNameOf = (name: string) => `${name}Code`;
