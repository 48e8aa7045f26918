import type { Operation } from "../operation.ts";

/**
 * Every operation by its name, in the order of the interface; a command loads only the one it runs. To add an
 * operation, write its file and add its line here.
 */
export const operationLoaders = {
  "customers.create": async () => (await import("./customers/create-customer.ts")).createCustomer,
  "customers.list": async () => (await import("./customers/list-customers.ts")).listCustomers,
  "customers.get": async () => (await import("./customers/get-customer.ts")).getCustomer,
  "locations.customers": async () =>
    (await import("./locations/list-location-customers.ts")).listLocationCustomers,
  "locations.customer": async () =>
    (await import("./locations/get-location-customer.ts")).getLocationCustomer,
  "addresses.add": async () => (await import("./addresses/add-address.ts")).addAddress,
  "addresses.list": async () => (await import("./addresses/list-addresses.ts")).listAddresses,
  "jobs.list": async () => (await import("./jobs/list-jobs.ts")).listJobs,
  "locations.jobs": async () => (await import("./jobs/list-location-jobs.ts")).listLocationJobs,
  "jobs.create": async () => (await import("./jobs/create-job.ts")).createJob,
  "jobs.get": async () => (await import("./jobs/get-job.ts")).getJob,
  "trucks.list": async () => (await import("./trucks/list-trucks.ts")).listTrucks,
  "trucks.get": async () => (await import("./trucks/get-truck.ts")).getTruck,
  "trucks.create": async () => (await import("./trucks/create-truck.ts")).createTruck,
  "trucks.update": async () => (await import("./trucks/update-truck.ts")).updateTruck,
  "trucks.job-list-pdf": async () => (await import("./trucks/job-list-pdf.ts")).jobListPdf,
  "hooks.create": async () => (await import("./hooks/create-hook.ts")).createHook,
  "hooks.list": async () => (await import("./hooks/list-hooks.ts")).listHooks,
  "hooks.get": async () => (await import("./hooks/get-hook.ts")).getHook,
  "hooks.update": async () => (await import("./hooks/update-hook.ts")).updateHook,
  "hooks.delete": async () => (await import("./hooks/delete-hook.ts")).deleteHook,
  "hooks.ping": async () => (await import("./hooks/ping-hook.ts")).pingHook,
  "hooks.rotate-secret": async () => (await import("./hooks/rotate-hook-secret.ts")).rotateHookSecret,
  "hooks.enable": async () => (await import("./hooks/enable-hook.ts")).enableHook,
  "deliveries.list": async () => (await import("./deliveries/list-deliveries.ts")).listDeliveries,
  "deliveries.get": async () => (await import("./deliveries/get-delivery.ts")).getDelivery,
  "deliveries.replay": async () => (await import("./deliveries/replay-deliveries.ts")).replayDeliveries,
  "locations.list": async () => (await import("./locations/list-locations.ts")).listLocations,
  "locations.get": async () => (await import("./locations/get-location.ts")).getLocation,
  "locations.create": async () => (await import("./locations/create-location.ts")).createLocation,
  "tenants.list": async () => (await import("./tenants/list-tenants.ts")).listTenants,
  "users.list": async () => (await import("./users/list-users.ts")).listUsers,
  "users.create": async () => (await import("./users/create-user.ts")).createUser,
  "tokens.list": async () => (await import("./tokens/list-tokens.ts")).listTokens,
  "tokens.create": async () => (await import("./tokens/create-token.ts")).createToken,
  "tokens.revoke": async () => (await import("./tokens/revoke-token.ts")).revokeToken,
} satisfies Record<string, () => Promise<Operation>>;

export type OperationName = keyof typeof operationLoaders;

/** The names of all operations, in order. */
export const operationNames = Object.keys(operationLoaders) as OperationName[];

/** Loads one operation. */
export function loadOperation(name: OperationName): Promise<Operation> {
  return operationLoaders[name]();
}

/** Loads all operations and refuses a list with mistakes, all of them told at once. */
export async function loadOperations(): Promise<Operation[]> {
  const operations = await Promise.all(operationNames.map(loadOperation));
  const problems = [
    ...operations.flatMap((operation, index) =>
      operation.name === operationNames[index]
        ? []
        : [`${operationNames[index]} is declared as ${operation.name}`],
    ),
    ...findMistakes(operations),
  ];
  if (problems.length > 0)
    throw new Error(`The operations are declared wrongly:\n  ${problems.join("\n  ")}`);
  return operations;
}

/** What is wrong with declarations: no user should ever meet these. */
export function findMistakes(operations: readonly Operation[]): string[] {
  return [
    ...operations.flatMap(findOwnMistakes),
    ...findRepeated(operations, (operation) => `${operation.method} ${operation.path}`),
    ...findRepeated(operations, (operation) => operation.name),
  ];
}

function findOwnMistakes({ name, path, params, method, body, effect, roles }: Operation): string[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const problems: string[] = [];
  for (const parameter of named)
    if (!(parameter in params)) problems.push(`path parameter ${parameter} is not declared`);
  for (const parameter of Object.keys(params)) {
    if (!named.includes(parameter)) problems.push(`parameter ${parameter} does not stand in the path`);
  }
  if (!/^[a-z-]+\.[a-z-]+$/.test(name)) problems.push("the name is not <noun>.<verb>");
  if (body && (method === "GET" || method === "DELETE")) problems.push(`${method} takes no body`);
  if (method === "GET" && effect !== "read" && effect !== "call") problems.push("GET must not write");
  if (roles.length === 0) problems.push("no role may call it");
  return problems.map((problem) => `${name}: ${problem}`);
}

function findRepeated(operations: readonly Operation[], keyOf: (operation: Operation) => string): string[] {
  const seen = new Map<string, string>();
  return operations.flatMap((operation) => {
    const key = keyOf(operation);
    const other = seen.get(key);
    seen.set(key, operation.name);
    return other ? [`${operation.name}: ${key} is taken by ${other}`] : [];
  });
}
