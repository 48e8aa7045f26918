import { isRepeatable } from "../core/is-repeatable.ts";
import { isGet, type Operation, rolesOf, takesPassword } from "../core/operation.ts";
import { changesRecord } from "../core/precondition.ts";
import { roles as allRoles } from "../models/user.ts";

/**
 * The description of an operation (Markdown): what its declaration says of it, who may call it, how it can be called, and
 * whom it tells.
 */
export function toOperationText(operation: Operation): string {
  const { changes, description, extension, lifetime } = operation;
  const paragraphs = [
    description,
    tellCallers(operation),
    tellCall(operation),
    changes.emits && `It makes events of the kind ${joinWords(changes.emits)}, which webhooks get.`,
    lifetime && `Not available after version ${lifetime.until}.`,
    extension && "An extension of this product.",
  ];
  return paragraphs.filter((paragraph) => typeof paragraph === "string").join("\n\n");
}

function tellCallers(operation: Operation): string {
  const roles = rolesOf(operation);
  if (operation.allow === "anyone") return "Anybody may call it, without a token and without a tenant.";
  if (allRoles.every((role) => roles.includes(role)))
    return "Every role may call it; what it sees of the records depends on the role.";
  return `For ${joinWords(roles)} only.`;
}

function tellCall(operation: Operation): string | undefined {
  const { effect, ofServer, output } = operation;
  if (effect === "call") {
    const caller = ofServer ? "" : "It calls the webhook's URL while the caller waits. ";
    const key = isGet(operation) ? "" : ", and the server refuses `Idempotency-Key`";
    return `${caller}It has no dry run${key}.`;
  }
  if (effect === "read")
    return "shape" in output && "total_pages" in output.shape
      ? "Answers one page; the header `Link` leads to the others."
      : undefined;
  const headers = [
    "`x-dry-run`",
    ...(isRepeatable(operation) ? ["`Idempotency-Key`"] : []),
    ...(changesRecord(operation) ? ["`If-Match`"] : []),
  ];
  const bound = takesPassword(operation) ? " How often an address may call it is bounded." : "";
  return `It writes: ${joinWords(headers)} can be sent with it.${bound}`;
}

/** `A`, `A and B`, `A, B and C`. */
function joinWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" and ");
}
