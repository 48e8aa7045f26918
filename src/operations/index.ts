import { isGet, type Operation, routeOf } from "../core/operation.ts";

/** In the order of the interface. To add an operation, write its file and a line here. */
export const operationLoaders = {
  "customers.create": async () => (await import("./create-customer.ts")).createCustomer,
  "customers.list": async () => (await import("./customers.ts")).listCustomers,
  "customers.get": async () => (await import("./customers.ts")).getCustomer,
  "customers.update": async () => (await import("./customers.ts")).updateCustomer,
  "customers.erase": async () => (await import("./customers.ts")).eraseCustomer,
  "locations.customers": async () => (await import("./locations.ts")).listLocationCustomers,
  "locations.customer": async () => (await import("./locations.ts")).getLocationCustomer,
  "addresses.add": async () => (await import("./addresses.ts")).addAddress,
  "addresses.list": async () => (await import("./addresses.ts")).listAddresses,
  "addresses.get": async () => (await import("./addresses.ts")).getAddress,
  "addresses.update": async () => (await import("./addresses.ts")).updateAddress,
  "addresses.remove": async () => (await import("./addresses.ts")).removeAddress,
  "contacts.add": async () => (await import("./contacts.ts")).addContact,
  "contacts.list": async () => (await import("./contacts.ts")).listContacts,
  "contacts.get": async () => (await import("./contacts.ts")).getContact,
  "contacts.update": async () => (await import("./contacts.ts")).updateContact,
  "contacts.erase": async () => (await import("./contacts.ts")).eraseContact,
  "customer-locations.add": async () => (await import("./customer-locations.ts")).addCustomerLocation,
  "customer-locations.list": async () => (await import("./customer-locations.ts")).listCustomerLocations,
  "customer-locations.get": async () => (await import("./customer-locations.ts")).getCustomerLocation,
  "customer-locations.update": async () => (await import("./customer-locations.ts")).updateCustomerLocation,
  "customer-locations.remove": async () => (await import("./customer-locations.ts")).removeCustomerLocation,
  "jobs.list": async () => (await import("./jobs/read-jobs.ts")).listJobs,
  "locations.jobs": async () => (await import("./jobs/read-jobs.ts")).listLocationJobs,
  "jobs.create": async () => (await import("./jobs/create-job.ts")).createJob,
  "jobs.get": async () => (await import("./jobs/read-jobs.ts")).getJob,
  "jobs.update": async () => (await import("./jobs/update-job.ts")).updateJob,
  "jobs.dispatch": async () => (await import("./jobs/update-job.ts")).dispatchJob,
  "jobs.move": async () => (await import("./jobs/move-job.ts")).moveJob,
  "jobs.add-item": async () => (await import("./jobs/add-to-job.ts")).addItem,
  "jobs.add-image": async () => (await import("./jobs/add-to-job.ts")).addImage,
  "jobs.add-material": async () => (await import("./jobs/add-to-job.ts")).addMaterial,
  "jobs.timeline": async () => (await import("./jobs/read-jobs.ts")).listJobTimeline,
  "search.find": async () => (await import("./search.ts")).findRecords,
  "trucks.list": async () => (await import("./trucks.ts")).listTrucks,
  "trucks.all": async () => (await import("./trucks.ts")).listAllTrucks,
  "trucks.get": async () => (await import("./trucks.ts")).getTruck,
  "trucks.create": async () => (await import("./trucks.ts")).createTruck,
  "trucks.update": async () => (await import("./trucks.ts")).updateTruck,
  "trucks.order-jobs": async () => (await import("./jobs/order-truck-jobs.ts")).orderTruckJobs,
  "trucks.job-list-pdf": async () => (await import("./truck-job-list.ts")).jobListPdf,
  "drivers.list": async () => (await import("./drivers.ts")).listDrivers,
  "drivers.all": async () => (await import("./drivers.ts")).listAllDrivers,
  "drivers.get": async () => (await import("./drivers.ts")).getDriver,
  "drivers.create": async () => (await import("./drivers.ts")).createDriver,
  "drivers.update": async () => (await import("./drivers.ts")).updateDriver,
  "users.list": async () => (await import("./users.ts")).listUsers,
  "users.get": async () => (await import("./users.ts")).getUser,
  "users.create": async () => (await import("./users.ts")).createUser,
  "users.update": async () => (await import("./users.ts")).updateUser,
  "users.erase": async () => (await import("./users.ts")).eraseUser,
  "locations.list": async () => (await import("./locations.ts")).listLocations,
  "locations.get": async () => (await import("./locations.ts")).getLocation,
  "locations.create": async () => (await import("./locations.ts")).createLocation,
  "locations.update": async () => (await import("./locations.ts")).updateLocation,
  "locations.of": async () => (await import("./locations.ts")).findRecordPlace,
  "tenants.list": async () => (await import("./tenants.ts")).listTenants,
  "dump-destinations.list": async () => (await import("./dump-destinations.ts")).listDumpDestinations,
  "dump-destinations.get": async () => (await import("./dump-destinations.ts")).getDumpDestination,
  "dump-destinations.create": async () => (await import("./dump-destinations.ts")).createDumpDestination,
  "dump-destinations.update": async () => (await import("./dump-destinations.ts")).updateDumpDestination,
  "materials.list": async () => (await import("./materials.ts")).listMaterials,
  "materials.create": async () => (await import("./materials.ts")).createMaterial,
  "asset-types.list": async () => (await import("./asset-types.ts")).listAssetTypes,
  "asset-types.get": async () => (await import("./asset-types.ts")).getAssetType,
  "asset-types.create": async () => (await import("./asset-types.ts")).createAssetType,
  "asset-types.update": async () => (await import("./asset-types.ts")).updateAssetType,
  "assets.list": async () => (await import("./assets.ts")).listAssets,
  "assets.get": async () => (await import("./assets.ts")).getAsset,
  "assets.create": async () => (await import("./assets.ts")).createAsset,
  "assets.update": async () => (await import("./assets.ts")).updateAsset,
  "hooks.create": async () => (await import("./hooks/change-hook.ts")).createHook,
  "hooks.list": async () => (await import("./hooks/hooks.ts")).listHooks,
  "hooks.get": async () => (await import("./hooks/hooks.ts")).getHook,
  "hooks.update": async () => (await import("./hooks/change-hook.ts")).updateHook,
  "hooks.delete": async () => (await import("./hooks/change-hook.ts")).deleteHook,
  "hooks.ping": async () => (await import("./hooks/call-hook.ts")).pingHook,
  "hooks.trigger": async () => (await import("./hooks/call-hook.ts")).triggerHook,
  "hooks.rotate-secret": async () => (await import("./hooks/hooks.ts")).rotateHookSecret,
  "hooks.replay": async () => (await import("./hooks/hooks.ts")).replayHook,
  "hooks.enable": async () => (await import("./hooks/change-hook.ts")).enableHook,
  "deliveries.list": async () => (await import("./deliveries.ts")).listDeliveries,
  "deliveries.get": async () => (await import("./deliveries.ts")).getDelivery,
  "deliveries.replay": async () => (await import("./deliveries.ts")).replayDeliveries,
  "events.list": async () => (await import("./events.ts")).listEvents,
  "events.get": async () => (await import("./events.ts")).getEvent,
  "events.preview": async () => (await import("./events.ts")).previewEvent,
  "tokens.list": async () => (await import("./tokens.ts")).listTokens,
  "tokens.create": async () => (await import("./create-token.ts")).createToken,
  "tokens.revoke": async () => (await import("./tokens.ts")).revokeToken,
  "tokens.rotate": async () => (await import("./create-token.ts")).rotateToken,
  "audit.list": async () => (await import("./audit/read-audit.ts")).listAudit,
  "audit.last": async () => (await import("./audit/read-audit.ts")).lastChange,
  "audit.undo": async () => (await import("./audit/undo-change.ts")).undoChange,
  "retention.show": async () => (await import("./retention.ts")).showRetention,
  "retention.update": async () => (await import("./retention.ts")).updateRetention,
  "retention.apply": async () => (await import("./retention.ts")).applyRetention,
  "erasures.list": async () => (await import("./erasures.ts")).listErasures,
  "gps.last": async () => (await import("./gps.ts")).lastGps,
  "gps.record": async () => (await import("./gps.ts")).recordGps,
  "haulers.create": async () => (await import("./haulers.ts")).createHauler,
  "haulers.list": async () => (await import("./haulers.ts")).listHaulers,
  "haulers.get": async () => (await import("./haulers.ts")).getHauler,
  "haulers.connect": async () => (await import("./haulers.ts")).connectHauler,
  "haulers.connections": async () => (await import("./haulers.ts")).listHaulerConnections,
  "chats.send": async () => (await import("./chats.ts")).sendChat,
  "chats.list": async () => (await import("./chats.ts")).listChats,
  "chats.edit": async () => (await import("./chats.ts")).editChat,
  "chats.recipients": async () => (await import("./chats.ts")).listChatRecipients,
  "batch.run": async () => defineBatchOnce((await import("./run-batch.ts")).defineBatch),
  "requests.get": async () => (await import("./requests.ts")).getRequest,
  "requests.tail": async () => (await import("./requests.ts")).tailRequests,
  "sandbox.reset": async () => (await import("./sandbox.ts")).resetSandbox,
  "sandbox.clock": async () => (await import("./sandbox.ts")).getSandboxClock,
  "sandbox.set-clock": async () => (await import("./sandbox.ts")).setSandboxClock,
  "sandbox.requests": async () => (await import("./sandbox.ts")).listSandboxRequests,
} satisfies Record<string, () => Promise<Operation>>;

type Batch = ReturnType<typeof import("./run-batch.ts").defineBatch>;

let batch: Batch | undefined;

/** The batch runs the other operations, so it gets their loader. */
function defineBatchOnce(define: (load: () => Promise<Operation[]>) => Batch): Batch {
  batch ??= define(loadOperations);
  return batch;
}

/** For a whole store: commands without a route. */
const storeOperationLoaders = {
  "tenants.create": async () => (await import("./tenants.ts")).createTenant,
  "tenants.update": async () => (await import("./tenants.ts")).updateTenant,
  "tenants.delete": async () => (await import("./tenants.ts")).deleteTenant,
} satisfies Record<string, () => Promise<Operation>>;

export type OperationName = keyof typeof operationLoaders;
type StoreOperationName = keyof typeof storeOperationLoaders;

export type AnyOperationName = OperationName | StoreOperationName;

export type OperationNamed<Name extends OperationName> = Awaited<ReturnType<(typeof operationLoaders)[Name]>>;

export const operationNames = Object.keys(operationLoaders) as OperationName[];

export function isOperationName(text: string): text is OperationName {
  return Object.hasOwn(operationLoaders, text);
}

export const storeOperationNames = Object.keys(storeOperationLoaders) as StoreOperationName[];

export function loadOperation(name: AnyOperationName): Promise<Operation> {
  return { ...operationLoaders, ...storeOperationLoaders }[name]();
}

/** Throws one error that lists every mistake in the declarations. */
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

export function findMistakes(operations: readonly Operation[]): string[] {
  return [
    ...operations.flatMap(findOwnMistakes),
    ...findRepeated(operations, ({ route }) => route),
    ...findRepeated(operations, (operation) => operation.name),
  ];
}

function findOwnMistakes(operation: Operation): string[] {
  const problems = [
    ...findPathMistakes(operation),
    ...mistakes.filter(({ isMade }) => isMade(operation)).map(({ describe }) => describe(operation)),
  ];
  return problems.map((problem) => `${operation.name}: ${problem}`);
}

function findPathMistakes({ params, route }: Operation): string[] {
  const named = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const undeclared = named.filter((parameter) => !(parameter in params));
  const elsewhere = Object.keys(params).filter((parameter) => !named.includes(parameter));
  return [
    ...undeclared.map((parameter) => `path parameter ${parameter} is not declared`),
    ...elsewhere.map((parameter) => `parameter ${parameter} is not in the path`),
  ];
}

const mistakes: readonly {
  isMade(operation: Operation): boolean;
  describe(operation: Operation): string;
}[] = [
  {
    isMade: ({ name }) => !/^[a-z-]+\.[a-z-]+$/.test(name),
    describe: () => "the name is not <noun>.<verb>",
  },
  {
    isMade: ({ body, route }) => body !== null && /^(?:GET|DELETE) /.test(route),
    describe: (operation) => `${routeOf(operation).method} takes no body`,
  },
  {
    isMade: (operation) => (isGet(operation) ? ["write", "delete"] : ["read"]).includes(operation.effect),
    describe: () => "GET must not write, and nothing else must read",
  },
  {
    isMade: ({ allow }) => allow.length === 0,
    describe: () => "no role may call it",
  },
  {
    isMade: ({ allow }) => allow === "store",
    describe: () => "it is for stores only, and must not be served",
  },
];

function findRepeated(operations: readonly Operation[], keyOf: (operation: Operation) => string): string[] {
  const seen = new Map<string, string>();
  return operations.flatMap((operation) => {
    const key = keyOf(operation);
    const other = seen.get(key);
    seen.set(key, operation.name);
    return other ? [`${operation.name}: ${key} is taken by ${other}`] : [];
  });
}
