import { isRepeatable } from "../core/is-repeatable.ts";
import type { Operation } from "../core/operation.ts";
import { changesRecord } from "../core/precondition.ts";
import { errorTable } from "../errors/errors.ts";
import { errorHeadersOf, type Header, type Ref } from "./headers.ts";

/** An answer, by status, as operations refer to it or as it is written out. */
export interface Answer {
  description: string;
  headers: Record<string, Header | Ref>;
  content: Record<string, { schema: Record<string, unknown> }>;
}

/** What operations have to be like to answer with a status; those that are not here can come from any. */
const conditions: Partial<Record<number, (operation: Operation) => boolean>> = {
  401: ({ access }) => access !== "public",
  // A record is named by the path, or by a query that is about one.
  404: ({ params, query }) => Object.keys(params).length > 0 || "record_id" in query,
  // A method that the path does not take is no operation.
  405: () => false,
  409: ({ effect, ofServer = false }) => effect !== "read" || ofServer,
  412: changesRecord,
  // A body is read wherever it may come, that of an operation which takes none included; that of a GET is not.
  413: ({ method }) => method !== "GET",
  415: ({ method }) => method !== "GET",
  422: isRepeatable,
};

/** The statuses that an operation can fail with, in ascending order; they are those of the error table. */
export function errorStatusesOf(operation: Operation): number[] {
  const statuses = Object.values(errorTable).flatMap(({ status }) => status ?? []);
  return [...new Set(statuses)]
    .filter((status) => conditions[status]?.(operation) ?? true)
    .sort((a, b) => a - b);
}

/** The component name of a status's answer. */
export function errorAnswerName(status: number): string {
  return `Error${status}`;
}

/** The answer to errors of a status, in both media types; its description lists the codes (OP-20). */
export function toErrorResponse(status: number): Answer {
  const codes = Object.entries(errorTable)
    .filter(([, kind]) => kind.status === status)
    .map(([code, { title }]) => `- \`${code}\`: ${title}`);
  const contentOf = (model: string) => ({ schema: { $ref: `#/components/schemas/${model}` } });
  return {
    description: codes.join("\n"),
    headers: errorHeadersOf(status),
    content: {
      "application/json": contentOf("ErrorModel"),
      "application/problem+json": contentOf("ProblemModel"),
    },
  };
}
