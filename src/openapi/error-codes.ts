import type * as z from "zod";
import { isGet, isRepeatable, type Operation } from "../core/operation.ts";
import { changesRecord } from "../core/precondition.ts";
import { type ErrorCode, errorTable } from "../errors/errors.ts";
import { type FieldKind, fieldKinds } from "../models/fields.ts";
import { unwrap } from "../models/parse.ts";

/** The errors of a status that an operation can fail with. Operations with the same ones share the name. */
export interface Failure {
  /** A component's name: `Error400`, and what makes more codes of the status possible. */
  name: string;
  status: number;
  codes: readonly ErrorCode[];
}

/** What an operation can fail with, by status in ascending order. */
export function failuresOf(operation: Operation): Failure[] {
  const input = describeInput(operation);
  const { refuses = [] } = operation;
  const holding = [
    ...groups.filter(
      ({ codes, holds }) => holds(operation, input) || codes.some((code) => refuses.includes(code)),
    ),
    ...refuses.filter((code) => !grouped.has(code)).map(toOwnGroup),
  ];
  const possible = servedCodes.filter((code) => holding.some(({ codes }) => codes.includes(code)));
  return [...new Set(possible.map(statusOf))]
    .sort((a, b) => a - b)
    .map((status) => {
      const codes = possible.filter((code) => statusOf(code) === status);
      const more = holding.filter(({ name, codes: own }) => name && own.some((code) => codes.includes(code)));
      return { codes, name: `Error${status}${more.map(({ name }) => name).join("")}`, status };
    });
}

const statusOf = (code: ErrorCode) => errorTable[code].status ?? 0;

const servedCodes = (Object.keys(errorTable) as ErrorCode[]).filter(
  (code) => errorTable[code].status !== null,
);

/** Codes that come together. A code of no group comes only from operations whose `refuses` names it. */
interface Group {
  /** What the name of the component says of it, where there are operations with the status and without these codes. */
  name?: string;
  codes: readonly ErrorCode[];
  holds(operation: Operation, input: Input): boolean;
}

const groups: readonly Group[] = [
  // Every operation can fail with these, most of them before anything knows which operation it is.
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
  // A path or a method that there is not, or not any more, is none of an operation's.
  {
    name: "Path",
    codes: ["operation_not_found", "operation_ended", "method_not_allowed"],
    holds: () => false,
  },
  {
    name: "Body",
    codes: ["missing_body", "malformed_json", "unknown_field"],
    holds: ({ body }) => body !== null,
  },
  { name: "Reference", codes: ["unknown_reference"], holds: ({ body }) => body !== null },
  // A body that does not belong there is read as JSON before it is refused.
  {
    name: "NoBody",
    codes: ["unexpected_body", "malformed_json"],
    holds: (operation) => !operation.body && !isGet(operation),
  },
  { name: "Date", codes: ["invalid_date"], holds: (_, { kinds }) => kinds.some(isDate) },
  { name: "Past", codes: ["not_past"], holds: (_, { kinds }) => kinds.some(({ when }) => when === "past") },
  {
    name: "Future",
    codes: ["not_future"],
    holds: (_, { kinds }) => kinds.some(({ when }) => when === "future"),
  },
  { name: "List", codes: ["too_few", "too_many", "repeated_value"], holds: (_, { hasList }) => hasList },
  {
    name: "JobType",
    codes: ["not_for_type"],
    holds: ({ body }) => body !== null && "asset_dropped_id" in body.shape,
  },
  { codes: ["unauthenticated", "role_not_allowed"], holds: ({ allow }) => allow !== "anyone" },
  {
    name: "Tenant",
    codes: ["tenant_not_accessible"],
    holds: ({ allow }) => allow !== "anyone" && allow !== "token",
  },
  { name: "Maker", codes: ["token_exceeds_maker"], holds: () => false },
  { name: "SignUp", codes: ["signup_disabled"], holds: () => false },
  // A record is named by the path, or by a query that is about one.
  {
    codes: ["record_not_found"],
    holds: ({ params, query }) => Object.keys(params).length > 0 || "record_id" in query,
  },
  { codes: ["state_conflict"], holds: ({ effect, ofServer = false }) => effect !== "read" || ofServer },
  { name: "Key", codes: ["idempotency_key_in_use", "answer_not_kept"], holds: isRepeatable },
  { name: "Duplicate", codes: ["duplicate_record"], holds: () => false },
  { name: "Limit", codes: ["limit_reached"], holds: () => false },
  { codes: ["precondition_failed"], holds: changesRecord },
  // A body is read wherever it may come, that of an operation which takes none included; that of a GET is not.
  { codes: ["body_too_large", "unsupported_media_type"], holds: (operation) => !isGet(operation) },
  { codes: ["idempotency_key_reused"], holds: isRepeatable },
];

const grouped = new Set(groups.flatMap(({ codes }) => codes));

/** `hook_limit_reached` is `HookLimitReached` in the name of the component. */
function toOwnGroup(code: ErrorCode): Pick<Group, "codes" | "name"> {
  const words = code.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { name: words.join(""), codes: [code] };
}

const isDate = ({ name }: FieldKind) => name === "timestamp";

/** What the fields of an operation's parameters and body are like. */
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
