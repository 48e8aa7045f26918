import type { TaskRunner } from "../documents/threads/tasks.ts";
import type { DeliveryPolicy, DeliveryService } from "../webhooks/delivery-service.ts";
import type { Serving } from "./serving.ts";
import type { UsageLog } from "./usage-log.ts";

/** How many active webhooks a tenant may have, unless the operator says otherwise. */
export const hooksPerTenantDefault = 100;

/** What the running program lends to every operation: the store, its policy, and the parts of the world that tests replace. */
export interface Service extends DeliveryService {
  policy: Policy;
  /** What the process that serves tells of itself; null in every other. */
  serving: Serving | null;
  /** Runs what takes long: in a server in threads of their own, so that it goes on answering. */
  tasks: TaskRunner;
  /** Which operations tokens call at which versions; the server writes it to the store from time to time. */
  usage: UsageLog;
}

/** What the operator of the process decides. */
interface Policy extends DeliveryPolicy {
  /** Anybody may sign up as a hauler: on a store at hand, or with --allow-hauler-signup. */
  allowsHaulerSignup: boolean;
  /** How many active webhooks a tenant may have. */
  hooksPerTenantMax: number;
  /** Font files for characters that the embedded fonts of documents lack. */
  fonts: readonly string[];
  /** Changes make events for webhooks; not while a store is filled in bulk. The audit trail has them in any case. */
  makesEvents: boolean;
}
