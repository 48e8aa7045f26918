/** What each noun is about, in the order of the help. */
export const nouns: Readonly<Record<string, string>> = {
  customers: "who orders: customers with addresses and contacts",
  addresses: "the addresses of customers",
  contacts: "the people to reach at customers",
  "customer-locations": "what each location keeps of a customer",
  jobs: "what trucks and drivers do",
  trucks: "trucks, and their job lists as PDF",
  locations: "the places that jobs are dispatched from",
  haulers: "third-party haulers, and their connections with the tenant",
  chats: "messages between drivers and dispatchers",
  gps: "where drivers are",
  hooks: "webhooks: who is called when records change",
  users: "who may act, in which roles",
  tokens: "access tokens for servers",
  audit: "who changed what",
  events: "what happened to records, as webhooks are told of it",
  tenants: "the tenants that you can reach; on a store, to make and change them",
};
