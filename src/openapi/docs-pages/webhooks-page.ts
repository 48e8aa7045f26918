import type { JsonSchema } from "../../models/fields.ts";
import type { Parameter } from "../parameters.ts";
import { fromMarkdown, type Html, html } from "./html.ts";
import type { Docs, DocsPage } from "./layout.ts";
import { exampleOf, type MediaEntry, showFields, showJson, toType } from "./schema-view.ts";

/** A request of a webhook in the document (OpenAPI 3.1, webhooks), as far as the page reads it. */
interface WebhookRequest {
  summary?: string;
  description?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, MediaEntry> };
}

/** What receivers of webhooks are sent at the version: each kind of event with its headers and its body. */
export function webhooksPage(docs: Docs): DocsPage {
  const entries = Object.entries(docs.document.webhooks);
  const main = html`<h1>Webhooks</h1>
<p>A webhook is made with <code>hooks.create</code>. Each event is a POST to its address, signed twice: in
<code>x-service-signature</code> (HMAC-SHA1 of the body) and by <a href="https://www.standardwebhooks.com">Standard Webhooks</a>.
It is delivered at least once, those of a record in their order; its body has the shape of the webhook's own version.</p>
<p>This page shows version ${docs.version}. <code>dispatch-cli hooks listen</code> shows what comes, <code>hooks trigger</code>
sends a sample, <code>hooks verify</code> says why a signature does not hold.</p>
${entries.map(([name, { post }]) => showWebhook(docs, name, post))}`;
  return { title: "Webhooks", main };
}

function showWebhook(docs: Docs, name: string, request: WebhookRequest): Html {
  const { description, parameters = [], requestBody, summary } = request;
  const media = requestBody?.content?.["application/json"];
  const example = media && exampleOf(media);
  const rows = parameters
    .map((parameter) => ("$ref" in parameter ? findParameter(docs, parameter.$ref) : parameter))
    .map((parameter) => ({ ...parameter, isRequired: parameter.required }));
  return html`<section><h2 id="${name}">${name}</h2>
${summary !== undefined && html`<p class="lead">${summary}</p>`}
${description !== undefined && fromMarkdown(description)}
${rows.length > 0 && html`<details><summary>Headers</summary>${showFields(docs, rows, `Headers of ${name}`)}</details>`}
${media && html`<p>Body: ${toType(docs, media.schema)}</p>`}
${example !== undefined && html`<details><summary>Example</summary>${showJson(example, `Example of ${name}`)}</details>`}</section>`;
}

function findParameter({ document }: Docs, ref: string): Parameter {
  const unknown = { name: ref, in: "header", required: false, schema: {} as JsonSchema } as const;
  return document.components.parameters[ref.replace(/^.*\//, "")] ?? unknown;
}
