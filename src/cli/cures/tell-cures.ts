import { type Operation, routeOf } from "../../core/operation.ts";
import { toRequestCure } from "../../core/request-cure.ts";
import type { CommandName, OperationCure, RequestCure } from "../../errors/cure.ts";
import type { DispatchError, Violation } from "../../errors/errors.ts";
import { ToldError } from "../../errors/told-error.ts";
import { isOperationName, loadOperation, operationNames } from "../../operations/index.ts";
import { ownIdOf } from "../../records/command-options.ts";
import { kindOfNoun } from "../../records/find-kind.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import { type Flag, toFlags } from "../input/flags.ts";
import { loadPresentation } from "../presentation/index.ts";

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

/** What the command does about the error; null if the detail says it. */
async function toPurpose({ code }: Violation, { operation, body }: CuredCall): Promise<string | null> {
  const { cures } = await loadPresentation(operation.name);
  if (cures) return cures(body ?? {});
  return code === "unknown_reference" ? "lists them" : null;
}

/** The detail has no period. */
export const commandCures: Readonly<Record<CommandName, (detail: string) => string>> = {
  doctor: (detail) =>
    `${detail}. Find the damage with \`dispatch-cli doctor\`, or restore a backup with \`dispatch-cli restore\`.`,
  "doctor --full": (detail) => `${detail}. Find out more with \`dispatch-cli doctor --full\`.`,
  "hooks resume": (detail) => `${detail}. \`dispatch-cli hooks resume\` shows the deliveries and sends them.`,
  init: (detail) => `${detail}. Create one with \`dispatch-cli init\`.`,
  "init --sandbox": (detail) =>
    `${detail}. Create a store with a movable clock with \`init --sandbox\` or \`demo\`.`,
  "store policy": (detail) =>
    `${detail}. Allow them with \`dispatch-cli store policy --private-hooks allow\`.`,
  "tenants update": (detail) => `${detail} with \`dispatch-cli tenants update\`.`,
  "users list": (detail) =>
    `${detail}. List the users with \`dispatch-cli users list --location <id> -o json\`.`,
};

/** `<id>` marks a value that the reader chooses. */
export function toCommandLine(call: CuredCall): string {
  const { operation } = call;
  const [noun = "", verb = ""] = operation.name.split(".");
  const ownId = ownIdOf(operation);
  const options = toFlags(operation).flatMap((flag) => toOptionWords(flag, call[flag.part]?.[flag.field]));
  const own = ownId === null ? null : toWord(call.params?.[ownId]);
  const words =
    own !== null && kindOfNoun(verb)?.listAtLocation === operation.name
      ? [verb, "list", "--location", own, ...options]
      : [noun, verb, ...(own === null ? [] : [own]), ...options];
  return ["dispatch-cli", ...words].join(" ");
}

function toOptionWords({ field, isRequired, name, part }: Flag, value: unknown): string[] {
  if (value === undefined && !isRequired) return [];
  const placeholder = part === "params" || field.endsWith("_id") ? "<id>" : `<${name}>`;
  return [`--${name}`, toWord(value, placeholder)];
}

/** The reader chooses a missing value or `{driver_id}`. */
function toWord(value: unknown, placeholder = "<id>"): string {
  if (value === undefined || /^\{\w+\}$/.test(String(value))) return placeholder;
  return toShellWord(typeof value === "object" ? JSON.stringify(value) : String(value));
}

interface CuredCall extends Omit<OperationCure, "operation"> {
  operation: Operation;
}

/** null if the server names an operation that this program does not know. */
export async function findCured(cure: OperationCure | RequestCure): Promise<CuredCall | null> {
  if ("path" in cure) return findRequested(cure);
  return isOperationName(cure.operation) ? { ...cure, operation: await loadOperation(cure.operation) } : null;
}

async function findRequested({ body, method, path }: RequestCure): Promise<CuredCall | null> {
  const [pathname = "", search = ""] = path.split("?", 2);
  const operations = await Promise.all(operationNames.map(loadOperation));
  for (const operation of operations) {
    const route = routeOf(operation);
    const params = route.method === method ? matchPath(route.path, pathname) : null;
    if (params === null) continue;
    const query = Object.fromEntries(new URLSearchParams(search));
    return { operation, params, query, ...(body && { body }) };
  }
  return null;
}

/** null if the path does not match the template. */
function matchPath(template: string, path: string): Record<string, string> | null {
  const names = template.split("/");
  const values = path.split("/");
  if (names.length !== values.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? "";
    const parameter = /^\{(\w+)\}$/.exec(name)?.[1];
    if (value === name) continue;
    // A parameter has only characters of a URL.
    if (parameter === undefined || !/^[\w.~-]+$/.test(value)) return null;
    params[parameter] = value;
  }
  return params;
}
