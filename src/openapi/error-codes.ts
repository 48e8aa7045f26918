import type * as z from "zod";
import { isGet, isRepeatable, type Operation } from "../core/operation.ts";
import { changesRecord } from "../core/precondition.ts";
import { type ErrorCode, errorTable } from "../errors/errors.ts";
import { type FieldKind, fieldKinds } from "../models/fields.ts";
import { unwrap } from "../models/parse.ts";

/** The errors of a status that an operation can return. */
interface Failure {
  status: number;
  codes: readonly ErrorCode[];
}

export function failuresOf(operation: Operation): Failure[] {
  const input = describeInput(operation);
  const { refuses = [] } = operation;
  const holding = groups.filter(
    ({ codes, holds }) => holds(operation, input) || codes.some((code) => refuses.includes(code)),
  );
  const possible = servedCodes.filter(
    (code) => refuses.includes(code) || holding.some(({ codes }) => codes.includes(code)),
  );
  return [...new Set(possible.map(statusOf))]
    .sort((a, b) => a - b)
    .map((status) => ({ codes: possible.filter((code) => statusOf(code) === status), status }));
}

const statusOf = (code: ErrorCode) => errorTable[code].status ?? 0;

export const servedCodes = (Object.keys(errorTable) as ErrorCode[]).filter(
  (code) => errorTable[code].status !== null,
);

/** Codes that occur together. A code outside all groups occurs only in operations whose `refuses` names it. */
interface Group {
  codes: readonly ErrorCode[];
  holds(operation: Operation, input: Input): boolean;
}

const groups: readonly Group[] = [
  // Every operation can return these, most of them before routing.
  {
    codes: [
      "expectation_failed",
      "header_too_large",
      "internal",
      "invalid_choice",
      "invalid_format",
      "invalid_header",
      "invalid_text",
      "malformed_request",
      "malformed_url",
      "missing_header",
      "missing_value",
      "more_violations",
      "not_acceptable",
      "not_in_batch",
      "overloaded",
      "rate_limited",
      "repeated_parameter",
      "request_timeout",
      "secret_key_missing",
      "shutting_down",
      "store_unavailable",
      "store_unreadable",
      "too_big",
      "too_long",
      "too_many_failed_logins",
      "too_short",
      "too_small",
      "unknown_parameter",
      "wrong_type",
    ],
    holds: () => true,
  },
  {
    codes: ["missing_body", "malformed_json", "unknown_field"],
    holds: ({ body }) => body !== null,
  },
  { codes: ["unknown_reference"], holds: ({ body }) => body !== null },
  // The server parses an unexpected body before it refuses it.
  {
    codes: ["unexpected_body", "malformed_json"],
    holds: (operation) => !operation.body && !isGet(operation),
  },
  { codes: ["invalid_date"], holds: (_, { kinds }) => kinds.some(isDate) },
  { codes: ["not_past"], holds: (_, { kinds }) => kinds.some(({ when }) => when === "past") },
  {
    codes: ["not_future"],
    holds: (_, { kinds }) => kinds.some(({ when }) => when === "future"),
  },
  { codes: ["too_few", "too_many", "repeated_value"], holds: (_, { hasList }) => hasList },
  {
    codes: ["not_for_type"],
    holds: ({ body }) => body !== null && "asset_dropped_id" in body.shape,
  },
  { codes: ["unauthenticated", "role_not_allowed"], holds: ({ allow }) => allow !== "anyone" },
  { codes: ["tenant_moved"], holds: ({ allow }) => allow !== "anyone" },
  {
    codes: ["tenant_not_accessible"],
    holds: ({ allow }) => allow !== "anyone" && allow !== "token",
  },
  {
    codes: ["record_not_found"],
    holds: ({ params, query }) => Object.keys(params).length > 0 || "record_id" in query,
  },
  {
    codes: ["tenant_frozen"],
    holds: ({ allow, effect }) => effect !== "read" && allow !== "anyone" && allow !== "token",
  },
  { codes: ["state_conflict"], holds: ({ effect, ofServer = false }) => effect !== "read" || ofServer },
  { codes: ["idempotency_key_in_use", "answer_not_kept"], holds: isRepeatable },
  { codes: ["precondition_failed"], holds: changesRecord },
  // The server reads the body of every request except GET.
  { codes: ["body_too_large", "unsupported_media_type"], holds: (operation) => !isGet(operation) },
  { codes: ["idempotency_key_reused"], holds: isRepeatable },
];

const isDate = ({ name }: FieldKind) => name === "timestamp";

interface Input {
  kinds: readonly FieldKind[];
  hasList: boolean;
}

function describeInput({ body, params, query }: Operation): Input {
  const kinds: FieldKind[] = [];
  let hasList = false;
  const look = (schema: z.ZodType) => {
    const inner = unwrap(schema);
    const kind = fieldKinds.get(inner);
    if (kind) kinds.push(kind);
    if (inner.type === "array") {
      hasList = true;
      look((inner as z.ZodArray<z.ZodType>).element);
    }
    if (inner.type === "object") Object.values((inner as z.ZodObject).shape as Fields).forEach(look);
  };
  for (const field of [...Object.values(params), ...Object.values(query), ...(body ? [body] : [])])
    look(field);
  return { hasList, kinds };
}

type Fields = Record<string, z.ZodType>;
