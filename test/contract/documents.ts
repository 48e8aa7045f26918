import { apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { type OpenapiDocument, toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";

const operations = await loadOperations();

/** The document of each version as others read it: parsed from its text. Tools change what they are given. */
export const documentTexts = apiVersions.map((version) => ({
  version,
  text: JSON.stringify(toOpenapi(operations, version)),
}));

/** Those of the oldest and the newest version: the versions between them differ in less than these two. */
export const documentsOfEnds = documentTexts.filter(
  ({ version }) => version === apiVersions[0] || version === newestVersion,
);

/** A fresh copy of a version's document. */
export function parseDocument(text: string): OpenapiDocument {
  return JSON.parse(text);
}
