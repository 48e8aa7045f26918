import type { OperationInput, Preparation } from "../../core/operation.ts";

/**
 * Before a list of what was changed after a moment: waits for changes that have their moment already and are not to be seen
 * yet, or who goes on from the last one that it saw would miss them (OP-101).
 */
export async function waitForChanges(
  { waitForWriters }: Preparation,
  input: OperationInput,
): Promise<OperationInput> {
  if (typeof input.query.last_updated_gte === "string") await waitForWriters();
  return input;
}
