import type { JsonSchema } from "../../models/fields.ts";

/** A Media Type Object of the document, as far as the pages read it. */
export interface MediaEntry {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

/** The example of a body, where the document has one. */
export function exampleOf({ example, examples }: MediaEntry): unknown {
  if (example !== undefined) return example;
  return Object.values(examples ?? {})[0]?.value;
}
