/**
 * Returns a server's interface: for each version the operations of its OpenAPI document, in the form for the
 * generator and the checks.
 */
export async function readDocuments(fetchJson) {
  const newest = await fetchJson("/openapi.json");
  // A document describes one version. The versions of a webhook's bodies come from a model.
  const { api_version: choice } = newest.components.schemas.CreateWebhookModel.properties;
  const versions = choice.enum.filter((version) => version !== null);
  const documents = new Map();
  for (const version of versions) {
    const document = await fetchJson(`/openapi.json?version=${version}`);
    documents.set(version, { document, operations: toOperations(document) });
  }
  return documents;
}

function toOperations(document) {
  const operations = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, entry] of Object.entries(methods)) {
      // A stream never ends.
      if (entry.responses["200"]?.content?.["text/event-stream"]) continue;
      operations.set(entry.operationId, {
        name: entry.operationId,
        method: method.toUpperCase(),
        path,
        parameters: entry.parameters.map((parameter) => resolve(document, parameter)),
        body: entry.requestBody?.content["application/json"].schema ?? null,
        isPublic: entry.security?.length === 0,
        responses: entry.responses,
        roles: entry["x-roles"],
      });
    }
  }
  return operations;
}

/** Resolves a reference. */
export function resolve(document, schema) {
  if (!schema.$ref) return schema;
  const steps = schema.$ref.slice(2).split("/");
  return steps.reduce((value, step) => value[step], document);
}
