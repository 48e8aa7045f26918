/** What each noun is about, in the order of the help. */
export const nouns: Readonly<Record<string, string>> = {
  customers: "who orders: customers with addresses and contacts",
  addresses: "the addresses of customers",
  jobs: "what trucks and drivers do",
  trucks: "trucks, and their job lists as PDF",
  drivers: "who drives the trucks",
  locations: "the places that jobs are dispatched from",
  assets: "containers and other equipment, and where they stand",
  "asset-types": "the kinds of assets",
  "dump-destinations": "where assets are emptied or kept",
  materials: "what is hauled, and how it is charged",
  hooks: "webhooks: who is called when records change",
  users: "who may act, in which roles",
  tokens: "access tokens for servers",
  tenants: "the tenants that you can reach",
};
