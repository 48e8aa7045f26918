import { type Operation, routeOf } from "../../core/operation.ts";
import { toRequestCure } from "../../core/request-cure.ts";
import type { CommandName, OperationCure, RequestCure } from "../../errors/cure.ts";
import type { DispatchError, Violation } from "../../errors/errors.ts";
import { isOperationName, loadOperation, operationNames } from "../../operations/index.ts";
import { kindOfNoun } from "../../records/find-kind.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import { type Flag, ownIdOf, toFlags } from "../input/flags.ts";
import { loadPresentation } from "../presentation/index.ts";
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

/** How the terminal tells of a command that cures: it goes on with an error's detail, which comes without its full stop. */
export const commandCures: Readonly<Record<CommandName, (detail: string) => string>> = {
  doctor: (detail) =>
    `${detail}: \`dispatch-cli doctor\` says where, \`dispatch-cli restore\` brings a backup back.`,
  "doctor --full": (detail) => `${detail}. \`dispatch-cli doctor --full\` tells more.`,
  "hooks resume": (detail) =>
    `${detail}: \`dispatch-cli hooks resume\` shows what would be sent, and does it.`,
  init: (detail) => `${detail}; \`dispatch-cli init\` makes one.`,
  "init --sandbox": (detail) =>
    `${detail}. \`init --sandbox\` and \`demo\` make stores whose clock can be moved.`,
  "store policy": (detail) => `${detail}: \`dispatch-cli store policy --private-hooks allow\` does.`,
  "tenants update": (detail) => `${detail} with \`dispatch-cli tenants update\`.`,
  "users list": (detail) =>
    `${detail}; \`dispatch-cli users list --location <id> -o json\` shows those of a tenant.`,
};

/** The command line that makes a call, as one would type it; `<id>` stands for what is to be chosen. */
export function toCommandLine(call: CuredCall): string {
  const { operation } = call;
  const [noun = "", verb = ""] = operation.name.split(".");
  const ownId = ownIdOf(operation);
  const options = toFlags(operation).flatMap((flag) => toOptionWords(flag, call[flag.part]?.[flag.field]));
  const own = ownId === null ? null : toWord(call.params?.[ownId]);
  // `jobs list --location 1` is the location's own list.
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

/** A value as a shell takes it; nothing, and `{driver_id}`, are the reader's to choose. */
function toWord(value: unknown, placeholder = "<id>"): string {
  if (value === undefined || /^\{\w+\}$/.test(String(value))) return placeholder;
  return toShellWord(typeof value === "object" ? JSON.stringify(value) : String(value));
}

/** An operation and the values that a cure gives it. */
interface CuredCall extends Omit<OperationCure, "operation"> {
  operation: Operation;
}

/** The call that a cure stands for; null for an operation that this program does not know, as a newer server may. */
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

/** The values of a template's parameters in a path, without those that stand as `{name}`; null when it has another form. */
function matchPath(template: string, path: string): Record<string, string> | null {
  const names = template.split("/");
  const values = path.split("/");
  if (names.length !== values.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? "";
    const parameter = /^\{(\w+)\}$/.exec(name)?.[1];
    if (value === name) continue;
    // What no URL can hold is no value of a parameter.
    if (parameter === undefined || !/^[\w.~-]+$/.test(value)) return null;
    params[parameter] = value;
  }
  return params;
}
