/** What a server says of its interface: for each version the operations of its OpenAPI document, as the generator and the checks want them. */
export async function readDocuments(fetchJson) {
  const newest = await fetchJson("/openapi.json");
  // A document is of one version; which others there are is what the bodies of a webhook can be in, or null.
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
      // A stream has no end to wait for.
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

/** What a reference stands for; anything else is itself. */
export function resolve(document, schema) {
  if (!schema.$ref) return schema;
  const steps = schema.$ref.slice(2).split("/");
  return steps.reduce((value, step) => value[step], document);
}
