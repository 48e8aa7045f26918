import type { AnyOperationName } from "../../operations/index.ts";
import type { OperationNoun, Presentation } from "./presentation.ts";

type Presentations = Partial<Record<AnyOperationName, Presentation>>;

const accounts = async () => (await import("./accounts.ts")).presentations;
const customers = async () => (await import("./customers.ts")).presentations;
const fleet = async () => (await import("./fleet.ts")).presentations;
const hooks = async () => (await import("./hooks.ts")).presentations;
const locations = async () => (await import("./locations.ts")).presentations;
const service = async () => (await import("./service.ts")).presentations;

/** A command loads only its noun's table. */
const tables: { [Noun in OperationNoun]?: () => Promise<Presentations> } = {
  addresses: customers,
  "asset-types": locations,
  assets: locations,
  audit: service,
  batch: service,
  chats: fleet,
  contacts: customers,
  "customer-locations": customers,
  customers,
  deliveries: hooks,
  drivers: fleet,
  "dump-destinations": locations,
  erasures: accounts,
  events: hooks,
  gps: fleet,
  haulers: fleet,
  hooks,
  jobs: async () => (await import("./jobs.ts")).presentations,
  locations,
  materials: locations,
  requests: service,
  retention: accounts,
  sandbox: service,
  search: service,
  tenants: accounts,
  tokens: accounts,
  trucks: fleet,
  users: accounts,
};

/** Empty without additions. */
export async function loadPresentation(name: string): Promise<Presentation> {
  const noun = name.split(".", 1)[0] as OperationNoun;
  const presentations = (await tables[noun]?.()) ?? {};
  return presentations[name as AnyOperationName] ?? {};
}
