import { isGet, type Operation, routeOf } from "../core/operation.ts";

/**
 * Every operation by its name, in the order of the interface; a command loads only the one it runs. To add an
 * operation, write its file and add its line here.
 */
export const operationLoaders = {
  "customers.create": async () => (await import("./customers/create-customer.ts")).createCustomer,
  "customers.list": async () => (await import("./customers/list-customers.ts")).listCustomers,
  "customers.get": async () => (await import("./customers/get-customer.ts")).getCustomer,
  "customers.update": async () => (await import("./customers/update-customer.ts")).updateCustomer,
  "customers.erase": async () => (await import("./customers/erase-customer.ts")).eraseCustomer,
  "locations.customers": async () =>
    (await import("./locations/list-location-customers.ts")).listLocationCustomers,
  "locations.customer": async () =>
    (await import("./locations/get-location-customer.ts")).getLocationCustomer,
  "addresses.add": async () => (await import("./addresses/add-address.ts")).addAddress,
  "addresses.list": async () => (await import("./addresses/list-addresses.ts")).listAddresses,
  "addresses.get": async () => (await import("./addresses/get-address.ts")).getAddress,
  "addresses.update": async () => (await import("./addresses/update-address.ts")).updateAddress,
  "addresses.remove": async () => (await import("./addresses/remove-address.ts")).removeAddress,
  "contacts.add": async () => (await import("./contacts/add-contact.ts")).addContact,
  "contacts.list": async () => (await import("./contacts/list-contacts.ts")).listContacts,
  "contacts.get": async () => (await import("./contacts/get-contact.ts")).getContact,
  "contacts.update": async () => (await import("./contacts/update-contact.ts")).updateContact,
  "contacts.erase": async () => (await import("./contacts/erase-contact.ts")).eraseContact,
  "customer-locations.add": async () =>
    (await import("./customer-locations/add-customer-location.ts")).addCustomerLocation,
  "customer-locations.list": async () =>
    (await import("./customer-locations/list-customer-locations.ts")).listCustomerLocations,
  "customer-locations.get": async () =>
    (await import("./customer-locations/get-customer-location.ts")).getCustomerLocation,
  "customer-locations.update": async () =>
    (await import("./customer-locations/update-customer-location.ts")).updateCustomerLocation,
  "customer-locations.remove": async () =>
    (await import("./customer-locations/remove-customer-location.ts")).removeCustomerLocation,
  "jobs.list": async () => (await import("./jobs/list-jobs.ts")).listJobs,
  "locations.jobs": async () => (await import("./jobs/list-location-jobs.ts")).listLocationJobs,
  "jobs.create": async () => (await import("./jobs/create-job.ts")).createJob,
  "jobs.get": async () => (await import("./jobs/get-job.ts")).getJob,
  "jobs.update": async () => (await import("./jobs/update-job.ts")).updateJob,
  "jobs.dispatch": async () => (await import("./jobs/dispatch-job.ts")).dispatchJob,
  "jobs.move": async () => (await import("./jobs/move-job.ts")).moveJob,
  "jobs.add-item": async () => (await import("./jobs/add-item.ts")).addItem,
  "jobs.add-image": async () => (await import("./jobs/add-image.ts")).addImage,
  "jobs.add-material": async () => (await import("./jobs/add-material.ts")).addMaterial,
  "jobs.timeline": async () => (await import("./jobs/list-job-timeline.ts")).listJobTimeline,
  "search.find": async () => (await import("./search/find-records.ts")).findRecords,
  "trucks.list": async () => (await import("./trucks/list-trucks.ts")).listTrucks,
  "trucks.all": async () => (await import("./trucks/list-all-trucks.ts")).listAllTrucks,
  "trucks.get": async () => (await import("./trucks/get-truck.ts")).getTruck,
  "trucks.create": async () => (await import("./trucks/create-truck.ts")).createTruck,
  "trucks.update": async () => (await import("./trucks/update-truck.ts")).updateTruck,
  "trucks.order-jobs": async () => (await import("./trucks/order-truck-jobs.ts")).orderTruckJobs,
  "trucks.job-list-pdf": async () => (await import("./trucks/job-list-pdf.ts")).jobListPdf,
  "drivers.list": async () => (await import("./drivers/list-drivers.ts")).listDrivers,
  "drivers.all": async () => (await import("./drivers/list-all-drivers.ts")).listAllDrivers,
  "drivers.get": async () => (await import("./drivers/get-driver.ts")).getDriver,
  "drivers.create": async () => (await import("./drivers/create-driver.ts")).createDriver,
  "drivers.update": async () => (await import("./drivers/update-driver.ts")).updateDriver,
  "users.list": async () => (await import("./users/list-users.ts")).listUsers,
  "users.get": async () => (await import("./users/get-user.ts")).getUser,
  "users.create": async () => (await import("./users/create-user.ts")).createUser,
  "users.update": async () => (await import("./users/update-user.ts")).updateUser,
  "users.erase": async () => (await import("./users/erase-user.ts")).eraseUser,
  "locations.list": async () => (await import("./locations/list-locations.ts")).listLocations,
  "locations.get": async () => (await import("./locations/get-location.ts")).getLocation,
  "locations.create": async () => (await import("./locations/create-location.ts")).createLocation,
  "locations.update": async () => (await import("./locations/update-location.ts")).updateLocation,
  "locations.of": async () => (await import("./locations/find-record-place.ts")).findRecordPlace,
  "tenants.list": async () => (await import("./tenants/list-tenants.ts")).listTenants,
  "dump-destinations.list": async () =>
    (await import("./dump-destinations/list-dump-destinations.ts")).listDumpDestinations,
  "dump-destinations.get": async () =>
    (await import("./dump-destinations/get-dump-destination.ts")).getDumpDestination,
  "dump-destinations.create": async () =>
    (await import("./dump-destinations/create-dump-destination.ts")).createDumpDestination,
  "dump-destinations.update": async () =>
    (await import("./dump-destinations/update-dump-destination.ts")).updateDumpDestination,
  "materials.list": async () => (await import("./materials/list-materials.ts")).listMaterials,
  "materials.create": async () => (await import("./materials/create-material.ts")).createMaterial,
  "asset-types.list": async () => (await import("./asset-types/list-asset-types.ts")).listAssetTypes,
  "asset-types.get": async () => (await import("./asset-types/get-asset-type.ts")).getAssetType,
  "asset-types.create": async () => (await import("./asset-types/create-asset-type.ts")).createAssetType,
  "asset-types.update": async () => (await import("./asset-types/update-asset-type.ts")).updateAssetType,
  "assets.list": async () => (await import("./assets/list-assets.ts")).listAssets,
  "assets.get": async () => (await import("./assets/get-asset.ts")).getAsset,
  "assets.create": async () => (await import("./assets/create-asset.ts")).createAsset,
  "assets.update": async () => (await import("./assets/update-asset.ts")).updateAsset,
  "hooks.create": async () => (await import("./hooks/create-hook.ts")).createHook,
  "hooks.list": async () => (await import("./hooks/list-hooks.ts")).listHooks,
  "hooks.get": async () => (await import("./hooks/get-hook.ts")).getHook,
  "hooks.update": async () => (await import("./hooks/update-hook.ts")).updateHook,
  "hooks.delete": async () => (await import("./hooks/delete-hook.ts")).deleteHook,
  "hooks.ping": async () => (await import("./hooks/ping-hook.ts")).pingHook,
  "hooks.trigger": async () => (await import("./hooks/trigger-hook.ts")).triggerHook,
  "hooks.rotate-secret": async () => (await import("./hooks/rotate-hook-secret.ts")).rotateHookSecret,
  "hooks.replay": async () => (await import("./hooks/replay-hook.ts")).replayHook,
  "hooks.enable": async () => (await import("./hooks/enable-hook.ts")).enableHook,
  "deliveries.list": async () => (await import("./deliveries/list-deliveries.ts")).listDeliveries,
  "deliveries.get": async () => (await import("./deliveries/get-delivery.ts")).getDelivery,
  "deliveries.replay": async () => (await import("./deliveries/replay-deliveries.ts")).replayDeliveries,
  "events.list": async () => (await import("./events/list-events.ts")).listEvents,
  "events.get": async () => (await import("./events/get-event.ts")).getEvent,
  "events.preview": async () => (await import("./events/preview-event.ts")).previewEvent,
  "tokens.list": async () => (await import("./tokens/list-tokens.ts")).listTokens,
  "tokens.create": async () => (await import("./tokens/create-token.ts")).createToken,
  "tokens.revoke": async () => (await import("./tokens/revoke-token.ts")).revokeToken,
  "tokens.rotate": async () => (await import("./tokens/rotate-token.ts")).rotateToken,
  "audit.list": async () => (await import("./audit/list-audit.ts")).listAudit,
  "audit.last": async () => (await import("./audit/last-change.ts")).lastChange,
  "audit.undo": async () => (await import("./audit/undo-change.ts")).undoChange,
  "retention.show": async () => (await import("./retention/show-retention.ts")).showRetention,
  "retention.update": async () => (await import("./retention/update-retention.ts")).updateRetention,
  "retention.apply": async () => (await import("./retention/apply-retention.ts")).applyRetention,
  "erasures.list": async () => (await import("./erasures/list-erasures.ts")).listErasures,
  "gps.last": async () => (await import("./gps/last-gps.ts")).lastGps,
  "gps.record": async () => (await import("./gps/record-gps.ts")).recordGps,
  "haulers.create": async () => (await import("./haulers/create-hauler.ts")).createHauler,
  "haulers.list": async () => (await import("./haulers/list-haulers.ts")).listHaulers,
  "haulers.get": async () => (await import("./haulers/get-hauler.ts")).getHauler,
  "haulers.connect": async () => (await import("./haulers/connect-hauler.ts")).connectHauler,
  "haulers.connections": async () =>
    (await import("./haulers/list-hauler-connections.ts")).listHaulerConnections,
  "chats.send": async () => (await import("./chats/send-chat.ts")).sendChat,
  "chats.list": async () => (await import("./chats/list-chats.ts")).listChats,
  "chats.edit": async () => (await import("./chats/edit-chat.ts")).editChat,
  "chats.recipients": async () => (await import("./chats/list-chat-recipients.ts")).listChatRecipients,
  "batch.run": async () => defineBatchOnce((await import("./batch/run-batch.ts")).defineBatch),
  "requests.get": async () => (await import("./requests/get-request.ts")).getRequest,
  "requests.tail": async () => (await import("./requests/tail-requests.ts")).tailRequests,
  "sandbox.reset": async () => (await import("./sandbox/reset-sandbox.ts")).resetSandbox,
  "sandbox.clock": async () => (await import("./sandbox/get-sandbox-clock.ts")).getSandboxClock,
  "sandbox.set-clock": async () => (await import("./sandbox/set-sandbox-clock.ts")).setSandboxClock,
  "sandbox.requests": async () => (await import("./sandbox/list-sandbox-requests.ts")).listSandboxRequests,
} satisfies Record<string, () => Promise<Operation>>;

type Batch = ReturnType<typeof import("./batch/run-batch.ts").defineBatch>;

let batch: Batch | undefined;

/** It carries out the others, and so is told of them. */
function defineBatchOnce(define: (load: () => Promise<Operation[]>) => Batch): Batch {
  batch ??= define(loadOperations);
  return batch;
}

/** The operations of a whole store: commands like the others, and never served. */
const storeOperationLoaders = {
  "tenants.create": async () => (await import("./tenants/create-tenant.ts")).createTenant,
  "tenants.update": async () => (await import("./tenants/update-tenant.ts")).updateTenant,
} satisfies Record<string, () => Promise<Operation>>;

export type OperationName = keyof typeof operationLoaders;
type StoreOperationName = keyof typeof storeOperationLoaders;

/** The names of all operations that are commands. */
export type AnyOperationName = OperationName | StoreOperationName;

/** The operation of a name, with the types of what it takes and answers. */
export type OperationNamed<Name extends OperationName> = Awaited<ReturnType<(typeof operationLoaders)[Name]>>;

/** The names of all operations that are served, in order. */
export const operationNames = Object.keys(operationLoaders) as OperationName[];

/** Tells the names of served operations apart from other text. */
export function isOperationName(text: string): text is OperationName {
  return Object.hasOwn(operationLoaders, text);
}

/** The names of the operations that are commands only. */
export const storeOperationNames = Object.keys(storeOperationLoaders) as StoreOperationName[];

/** Loads one operation. */
export function loadOperation(name: AnyOperationName): Promise<Operation> {
  return { ...operationLoaders, ...storeOperationLoaders }[name]();
}

/** Loads all operations that are served. Throws one error that names all mistakes in their declarations. */
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

/** Finds mistakes in the declarations of served operations, so that no user ever meets them. */
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
    ...mistakes.filter(({ isMade }) => isMade(operation)).map(({ tell }) => tell(operation)),
  ];
  return problems.map((problem) => `${operation.name}: ${problem}`);
}

function findPathMistakes({ params, route }: Operation): string[] {
  const named = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const undeclared = named.filter((parameter) => !(parameter in params));
  const elsewhere = Object.keys(params).filter((parameter) => !named.includes(parameter));
  return [
    ...undeclared.map((parameter) => `path parameter ${parameter} is not declared`),
    ...elsewhere.map((parameter) => `parameter ${parameter} does not stand in the path`),
  ];
}

/** What a declaration may not say, and how that is told. */
const mistakes: readonly {
  isMade(operation: Operation): boolean;
  tell(operation: Operation): string;
}[] = [
  {
    isMade: ({ name }) => !/^[a-z-]+\.[a-z-]+$/.test(name),
    tell: () => "the name is not <noun>.<verb>",
  },
  {
    isMade: ({ body, route }) => body !== null && /^(?:GET|DELETE) /.test(route),
    tell: (operation) => `${routeOf(operation).method} takes no body`,
  },
  {
    isMade: (operation) => (isGet(operation) ? ["write", "delete"] : ["read"]).includes(operation.effect),
    tell: () => "GET must not write, and nothing else must read",
  },
  {
    isMade: ({ allow }) => allow.length === 0,
    tell: () => "no role may call it",
  },
  {
    isMade: ({ allow }) => allow === "store",
    tell: () => "it is for stores only, and must not be served",
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
