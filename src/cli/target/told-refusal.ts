import type { RequestCure } from "../../errors/cure.ts";
import { DispatchError, isExplanationPath, type Violation } from "../../errors/errors.ts";

/** The error of a server in the words of a command line. */
export function toToldRefusal(url: string, error: DispatchError, operation: string): DispatchError {
  const { body, cause, code, requestId, status, violations } = error;
  if (status === null) return error;
  // This program knows the operation, so it is newer than the one that serves.
  if (code === "operation_not_found") {
    const detail = `${url} has no ${operation}: its program is older than this one, and should be upgraded.`;
    return new DispatchError([{ code, detail, field: null }], { cause: error });
  }
  const facts = { cause, requestId, status };
  if (code === "target_unreachable" && status >= 300 && status < 400) {
    const detail = `${error.message.replace(/\.$/, "")}; name that with --url if it is right.`;
    return new DispatchError([{ code, detail, field: null }], facts);
  }
  if (!body) return error;
  const [first, ...others] = violations;
  const errors = body.errors.map((one) => ({ ...one, see: toCure(one.see) }));
  return new DispatchError([withoutPage(first), ...others.map(withoutPage)], {
    ...facts,
    body: { ...body, errors, see: toCure(body.see) },
  });
}

/** The terminal explains errors by itself, the same for a store and for a server. */
function withoutPage({ see, ...violation }: Violation): Violation {
  const cure = toCure(see);
  return cure ? { ...violation, see: cure } : violation;
}

/** A request that helps; null for a page, and for what a newer server sends and this program does not know. */
function toCure(see: unknown): RequestCure | null {
  const { body, method, path }: Partial<Record<keyof RequestCure, unknown>> = Object(see);
  if (typeof method !== "string" || typeof path !== "string" || isExplanationPath(path)) return null;
  return body === undefined || (typeof body === "object" && body !== null) ? (see as RequestCure) : null;
}
