import type * as z from "zod";
import type { ApiVersion } from "../models/api-versions.ts";
import type { Shape } from "../models/model.ts";
import type { ModelSchemas } from "./model-schemas.ts";

/** A Path Item Object of OpenAPI: the request that a webhook gets. */
export type WebhookEntry = Record<"post", Record<string, unknown>>;

/** The models that the section of webhooks refers to besides those of operations; each becomes a component. */
export const webhookModels: readonly z.ZodObject<Shape>[] = [];

/** The section of webhooks of the document at a version, by the name of each. */
export function toWebhooks(
  _version: ApiVersion,
  _refTo: ModelSchemas["refTo"],
): Record<string, WebhookEntry> {
  return {};
}
