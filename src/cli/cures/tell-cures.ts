import { toRequestCure } from "../../core/request-cure.ts";
import type { RequestCure } from "../../errors/cure.ts";
import type { DispatchError, Violation } from "../../errors/errors.ts";
import { loadPresentation } from "../presentation/index.ts";
import { commandCures } from "./command-cures.ts";
import { type CuredCall, findCured } from "./find-cured.ts";
import { toCommandLine } from "./to-command-line.ts";
import { ToldError } from "./told-error.ts";

/** The error with the commands that help in its details; an error that names no cure is the same as before. */
export async function tellCures(error: DispatchError): Promise<DispatchError> {
  if (!error.violations.some(({ see }) => see)) return error;
  const [first, ...rest] = await Promise.all(error.violations.map(tellCure));
  if (!first) return error;
  const violations: [Violation, ...Violation[]] = [first.violation, ...rest.map((told) => told.violation)];
  const requests = [first, ...rest].map(({ request }) => request);
  return new ToldError(violations, requests, error);
}

interface Told {
  violation: Violation;
  request: RequestCure | null;
}

async function tellCure({ see, ...violation }: Violation): Promise<Told> {
  if (!see) return { violation, request: null };
  const fact = violation.detail.replace(/\.$/, "");
  if ("command" in see)
    return { violation: { ...violation, detail: commandCures[see.command](fact) }, request: null };
  const call = await findCured(see);
  if (!call) return { violation, request: "path" in see ? see : null };
  const line = `\`${toCommandLine(call)}\``;
  const purpose = await toPurpose(violation, call);
  const detail = purpose === null ? `${fact}: ${line}.` : `${fact}; ${line} ${purpose}.`;
  return {
    violation: { ...violation, detail },
    request: "path" in see ? see : toRequestCure(call.operation, see),
  };
}

/** What the command does about the error; null where the detail says it already, and ends with what to do. */
async function toPurpose({ code }: Violation, { operation, body }: CuredCall): Promise<string | null> {
  const { cures } = await loadPresentation(operation.name);
  if (cures) return cures(body ?? {});
  return code === "unknown_reference" ? "lists them" : null;
}
