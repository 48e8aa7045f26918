import { failure } from "../errors/errors.ts";
import { type McpOptions, readOperation } from "./call-tool.ts";
import { readDay } from "./day-tool.ts";

const mimeType = "application/json";

const dayUri = "dispatch://day";

const toGuideUri = (name: string) => `dispatch://guides/${name}`;

const loadGuides = () => import("../openapi/docs-pages/guide-texts.ts");

/** Today's board, and the guides that /docs serves. */
export async function listResources() {
  const { guideTexts } = await loadGuides();
  return [
    {
      uri: dayUri,
      name: "day",
      title: "Today's board",
      description: "The jobs of today by truck.",
      mimeType,
    },
    ...Object.entries(guideTexts).map(([name, { about, title }]) => ({
      ...{ uri: toGuideUri(name), name: `guide-${name}`, title, description: about },
      mimeType: "text/markdown",
    })),
  ];
}

export const resourceTemplates = [
  {
    uriTemplate: "dispatch://locations/{location_id}/jobs/{job_id}",
    name: "job",
    title: "A job",
    description: "A job with its etag.",
    mimeType,
  },
  {
    uriTemplate: "dispatch://customers/{customer_id}",
    name: "customer",
    title: "A customer",
    description: "A customer with its addresses and contacts.",
    mimeType,
  },
];

/** Reads a resource as its tool would answer. Throws record_not_found and the refusals of the operation. */
export async function readResource(uri: string, options: McpOptions) {
  const guide = await readGuide(uri);
  if (guide !== null) return { contents: [{ uri, mimeType: "text/markdown", text: guide }] };
  const value = await readAt(uri, options);
  return { contents: [{ uri, mimeType, text: JSON.stringify(value) }] };
}

async function readGuide(uri: string): Promise<string | null> {
  const { isGuideName, writeGuide } = await loadGuides();
  const name = uri.startsWith(toGuideUri("")) ? uri.slice(toGuideUri("").length) : "";
  return isGuideName(name) ? writeGuide(name, toGuideUri) : null;
}

async function readAt(uri: string, options: McpOptions): Promise<unknown> {
  const [, location_id, job_id] = /^dispatch:\/\/locations\/(\d+)\/jobs\/(\d+)$/.exec(uri) ?? [];
  if (job_id !== undefined) return readOperation("jobs.get", { location_id, job_id }, options);
  const [, customer_id] = /^dispatch:\/\/customers\/(\d+)$/.exec(uri) ?? [];
  if (customer_id !== undefined) return readOperation("customers.get", { customer_id }, options);
  if (uri === dayUri) return readDay(options.target, {});
  const guides = (await listResources()).map((resource) => resource.uri);
  const known = [...guides, ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)].join(", ");
  throw failure("record_not_found", `There is no such resource. The resources are ${known}.`);
}
