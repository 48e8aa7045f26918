import { apiVersions } from "../../models/api-versions.ts";
import { historyOf } from "../../openapi/description.ts";
import { loadOperations } from "../../operations/index.ts";

/** Every version, oldest first, with what it changed, in sentences. */
export async function versionFacts() {
  const operations = await loadOperations();
  return apiVersions.map((version) => ({ version, changes: historyOf(version, operations) }));
}
