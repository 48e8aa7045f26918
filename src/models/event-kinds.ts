interface EventKind {
  summary: string;
  data: string;
  actions: Readonly<Record<string, string>>;
}

/** The events for webhooks. Subscriptions, filters, samples, the catalog, and the OpenAPI document use this table. */
export const eventKinds = {
  Ping: {
    summary: "a test call to a webhook",
    data: "the webhook's id",
    actions: { pinged: "The webhook was pinged." },
  },
  Customer: {
    summary: "a customer, an address or a contact of it",
    data: "the customer with its addresses, its contacts and its record at each location",
    actions: {
      created: "A customer was created.",
      updated: "A customer changed, or one of its addresses or contacts was added, changed or deactivated.",
      erased: "The personal data of a customer, or of one of its contacts, was erased, for good.",
    },
  },
  CustomerLocation: {
    summary: "a customer's record at a location",
    data: "the customer with its record at that location",
    actions: {
      created: "A customer got a record at a location, for example when it was created.",
      updated: "A customer's record at a location changed.",
      deleted: "A customer's record at a location was deactivated.",
    },
  },
  Job: {
    summary: "a job",
    data: "the job with its customer, assets, materials and images",
    actions: {
      created: "A job was created, also as the pickup of a completed job.",
      updated: "A job changed, and no other action fits.",
      dispatched: "A job was put on a truck.",
      returned: "A job was taken off its truck.",
      acknowledged: "The driver acknowledged a job.",
      declined: "The driver declined a job.",
      completed: "A job was completed.",
      failed: "A job failed.",
      deleted: "A job was deleted.",
      restored: "A deleted job was restored.",
    },
  },
  Truck: {
    summary: "a truck",
    data: "the truck",
    actions: {
      created: "A truck was created.",
      updated: "A truck changed, or got another driver.",
    },
  },
} as const satisfies Record<string, EventKind>;

export type HookEvent = keyof typeof eventKinds;

type ActionOf<Kind extends HookEvent> = keyof (typeof eventKinds)[Kind]["actions"] & string;

/** A kind with all its actions, or one, such as `Job:completed`. */
export type Subscription = HookEvent | { [K in HookEvent]: `${K}:${ActionOf<K>}` }[HookEvent];

// The keys of an object literal, in its order.
export const hookEvents = Object.keys(eventKinds) as HookEvent[];

export function eventActionsOf(kind: HookEvent): readonly string[] {
  return Object.keys(eventKinds[kind].actions);
}

export const subscriptions: readonly Subscription[] = hookEvents.flatMap((kind) => [
  kind,
  // A kind and one of its own actions.
  ...eventActionsOf(kind).map((action) => `${kind}:${action}` as Subscription),
]);

/** Without the kinds, which include their actions. */
export const subscriptionsMax = subscriptions.length - hookEvents.length;

export function kindsOf(events: readonly Subscription[]): HookEvent[] {
  return [...new Set(events.map((event) => parseSubscription(event).kind))];
}

/** null means any action. */
export function parseSubscription(subscription: Subscription): { kind: HookEvent; action: string | null } {
  const [kind, action = null] = subscription.split(":");
  // The type guarantees that the part before the colon is a kind.
  return { kind: kind as HookEvent, action };
}
