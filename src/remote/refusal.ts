import type { RequestCure } from "../errors/cure.ts";
import { DispatchError, type ErrorBody, errorTable, failure, type Violation } from "../errors/errors.ts";
import { isExplanationPath } from "../errors/explanation-path.ts";

/** A refusal as the server told it: its codes are this program's own table. */
export class RemoteRefusal extends DispatchError {
  readonly body: ErrorBody;

  constructor(body: ErrorBody, violations: readonly [Violation, ...Violation[]]) {
    super(violations);
    this.body = body;
  }
}

/** What a server's answer that is no success says; target_unreachable where it is no refusal of this service. */
export function toRefusal(url: string, status: number, location: unknown, bytes: Buffer): DispatchError {
  const body = parseErrorBody(bytes);
  const [first, ...rest] = body?.errors.map(toViolation) ?? [];
  if (body && first) return new RemoteRefusal(body, [first, ...rest]);
  // A token is not sent to a place that nobody named.
  if (status < 400 && typeof location === "string")
    return failure(
      "target_unreachable",
      `${url} sends on to ${location}; name that with --url if it is right.`,
    );
  return failure(
    "target_unreachable",
    `${url} answers with status ${status} and no error that this program knows.`,
  );
}

function parseErrorBody(bytes: Buffer): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    const isError =
      typeof body === "object" && body !== null && "errors" in body && Array.isArray(body.errors);
    return isError ? withoutPages(body as ErrorBody) : null;
  } catch {
    return null;
  }
}

/** The terminal explains errors by itself, the same for a store and for a server. */
function withoutPages(body: ErrorBody): ErrorBody {
  const errors = body.errors.map((one) => ({ ...one, see: withoutPage(one.see) }));
  return { ...body, errors, see: withoutPage(body.see) };
}

function withoutPage(see: RequestCure | null): RequestCure | null {
  return isRequestCure(see) && isExplanationPath(see.path) ? null : see;
}

/** A newer server may know more codes; what they say is shown all the same. */
function toViolation({ code, detail, field, see }: ErrorBody["errors"][number]): Violation {
  const isKnown = Object.hasOwn(errorTable, code);
  return {
    code: isKnown ? (code as Violation["code"]) : "internal",
    detail,
    field,
    ...(isRequestCure(see) && { see }),
  };
}

/** Older servers send no cure, and newer ones may send what this program does not know. */
function isRequestCure(see: unknown): see is RequestCure {
  if (typeof see !== "object" || see === null || !("method" in see) || !("path" in see)) return false;
  const hasBody = !("body" in see) || (typeof see.body === "object" && see.body !== null);
  return typeof see.method === "string" && typeof see.path === "string" && hasBody;
}
