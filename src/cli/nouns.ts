/** What each noun is about, by group, in the order of the help: what is used daily comes first. */
export const nounGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Every day:": {
    jobs: "what trucks and drivers do",
    customers: "who orders: customers with addresses and contacts",
    trucks: "trucks, and their job lists as PDF",
    drivers: "who drives the trucks",
    chats: "messages between drivers and dispatchers",
  },
  "Records:": {
    addresses: "the addresses of customers",
    contacts: "the people to reach at customers",
    "customer-locations": "what each location keeps of a customer",
    locations: "the places that jobs are dispatched from",
    haulers: "third-party haulers, and their connections",
    assets: "containers and other equipment, and where they stand",
    "asset-types": "the kinds of assets",
    "dump-destinations": "where assets are emptied or kept",
    materials: "what is hauled, and how it is charged",
    gps: "where drivers are",
  },
  "Webhooks:": {
    hooks: "who is called when records change",
    deliveries: "what was sent to webhooks, and what came of it",
    events: "what happened to records, as webhooks are told of it",
  },
  "Access:": {
    users: "who may act, in which roles",
    tokens: "access tokens for servers",
    tenants: "the tenants that you can reach",
    audit: "who changed what",
  },
};

/** What each noun is about. */
export const nouns: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(nounGroups));
