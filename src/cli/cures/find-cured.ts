import { type Operation, routeOf } from "../../core/operation.ts";
import type { OperationCure, RequestCure } from "../../errors/cure.ts";
import { isOperationName, loadOperation, operationNames } from "../../operations/index.ts";

/** An operation and the values that a cure gives it. */
export interface CuredCall extends Omit<OperationCure, "operation"> {
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
