import type { Service } from "../../core/service.ts";
import type { Serving } from "../../core/serving.ts";
import { failure } from "../../errors/errors.ts";

/** What the process that serves lends. Throws state_conflict where the store is not served. */
export function requireServing({ serving }: Pick<Service, "serving">): Serving {
  if (serving) return serving;
  throw failure("state_conflict", "Only a server tells of its requests; this store is not served.");
}
