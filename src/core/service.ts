import type { TaskRunner } from "../documents/threads/tasks.ts";
import type { DeliveryPolicy, DeliveryService } from "../webhooks/delivery-service.ts";
import type { Serving } from "./serving.ts";
import type { UsageLog } from "./usage-log.ts";

export const hooksPerTenantDefault = 100;

/** What operations use: the store, the policy, and the parts of the world that tests replace. */
export interface Service extends DeliveryService {
  policy: Policy;
  /** null in processes that do not serve. */
  serving: Serving | null;
  /** Runs slow work. A server uses threads, so that it can answer requests. */
  tasks: TaskRunner;
  /** Which operations and versions tokens call. The server writes it to the store from time to time. */
  usage: UsageLog;
}

/** Decisions of the operator. */
interface Policy extends DeliveryPolicy {
  /** Public signup of haulers. Allowed on a local store, or with --allow-hauler-signup. */
  allowsHaulerSignup: boolean;
  hooksPerTenantMax: number;
  /** Font files for characters that the embedded fonts of documents lack. */
  fonts: readonly string[];
  /** False in bulk work: changes create no events for webhooks. The audit trail always has them. */
  makesEvents: boolean;
}
