import type { TaskRunner } from "../documents/threads/tasks.ts";
import type { DeliveryPolicy, DeliveryService } from "../webhooks/delivery-service.ts";
import type { Serving } from "./serving.ts";
import type { UsageLog } from "./usage-log.ts";

/** Default limit of active webhooks in a tenant. */
export const hooksPerTenantDefault = 100;

/** What every operation uses: the store, the policy, and the parts of the world that tests replace. */
export interface Service extends DeliveryService {
  policy: Policy;
  /** Facts about the serving process; null in other processes. */
  serving: Serving | null;
  /** Runs slow work; in a server in threads, so that it can answer requests. */
  tasks: TaskRunner;
  /** The operations and versions that tokens call; the server writes it to the store from time to time. */
  usage: UsageLog;
}

/** Decisions of the operator. */
interface Policy extends DeliveryPolicy {
  /** Public signup of haulers: on a local store, or with --allow-hauler-signup. */
  allowsHaulerSignup: boolean;
  hooksPerTenantMax: number;
  /** Font files for characters that the embedded fonts of documents lack. */
  fonts: readonly string[];
  /** Changes create events for webhooks, except in bulk work. The audit trail always has them. */
  makesEvents: boolean;
}
