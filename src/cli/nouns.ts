/** What each noun is about, in the order of the help. */
export const nouns: Readonly<Record<string, string>> = {
  customers: "who orders: customers with addresses and contacts",
  addresses: "the addresses of customers",
  jobs: "what trucks and drivers do",
  trucks: "trucks, and their job lists as PDF",
  locations: "the places that jobs are dispatched from",
  hooks: "webhooks: who is called when records change",
  deliveries: "what was sent to webhooks, and what came of it",
  users: "who may act, in which roles",
  tokens: "access tokens for servers",
  tenants: "the tenants that you can reach",
};
