import { apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { type OpenapiDocument, toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";

const operations = await loadOperations();

/** The document of each version, as text, because tools change their input. */
export const documentTexts = apiVersions.map((version) => ({
  version,
  text: JSON.stringify(toOpenapi(operations, version)),
}));

/** The oldest and the newest version, which differ the most. */
export const documentsOfEnds = documentTexts.filter(
  ({ version }) => version === apiVersions[0] || version === newestVersion,
);

/** A fresh copy of a version's document. */
export function parseDocument(text: string): OpenapiDocument {
  return JSON.parse(text);
}
