import type { AnyOperationName } from "../../operations/index.ts";
import type { OperationNoun, Presentation, PresentationsOf } from "./presentation.ts";

/** The tables by noun, where a noun has one; a command loads that of its noun only. */
const presentationLoaders: { [Noun in OperationNoun]?: () => Promise<PresentationsOf<Noun>> } = {
  customers: async () => (await import("./customers.ts")).customers,
  locations: async () => (await import("./locations.ts")).locations,
  addresses: async () => (await import("./addresses.ts")).addresses,
  contacts: async () => (await import("./contacts.ts")).contacts,
  "customer-locations": async () => (await import("./customer-locations.ts")).customerLocations,
  jobs: async () => (await import("./jobs.ts")).jobs,
  trucks: async () => (await import("./trucks.ts")).trucks,
  drivers: async () => (await import("./drivers.ts")).drivers,
  users: async () => (await import("./users.ts")).users,
  tenants: async () => (await import("./tenants.ts")).tenants,
  "dump-destinations": async () => (await import("./dump-destinations.ts")).dumpDestinations,
  materials: async () => (await import("./materials.ts")).materials,
  "asset-types": async () => (await import("./asset-types.ts")).assetTypes,
  assets: async () => (await import("./assets.ts")).assets,
  hooks: async () => (await import("./hooks.ts")).hooks,
  deliveries: async () => (await import("./deliveries.ts")).deliveries,
  events: async () => (await import("./events.ts")).events,
  tokens: async () => (await import("./tokens.ts")).tokens,
  audit: async () => (await import("./audit.ts")).audit,
  gps: async () => (await import("./gps.ts")).gps,
  haulers: async () => (await import("./haulers.ts")).haulers,
  chats: async () => (await import("./chats.ts")).chats,
  batch: async () => (await import("./batch.ts")).batch,
  erasures: async () => (await import("./erasures.ts")).erasures,
  retention: async () => (await import("./retention.ts")).retention,
  requests: async () => (await import("./requests.ts")).requests,
  sandbox: async () => (await import("./sandbox.ts")).sandbox,
  search: async () => (await import("./search.ts")).search,
};

/** What the terminal adds to an operation; empty when it adds nothing. */
export async function loadPresentation(name: string): Promise<Presentation> {
  const noun = name.split(".", 1)[0] as OperationNoun;
  const presentations: Partial<Record<AnyOperationName, Presentation>> =
    (await presentationLoaders[noun]?.()) ?? {};
  return presentations[name as AnyOperationName] ?? {};
}
