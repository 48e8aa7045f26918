import type { JsonSchema } from "../../models/fields.ts";
import type { Parameter } from "../parameters.ts";
import { fromMarkdown, type Html, html } from "./html.ts";
import type { Docs, DocsPage } from "./layout.ts";
import { exampleOf, type MediaEntry, showFields, showJson, toType } from "./schema-view.ts";

interface WebhookRequest {
  summary?: string;
  description?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, MediaEntry> };
}

export function webhooksPage(docs: Docs): DocsPage {
  const entries = Object.entries(docs.document.webhooks);
  const main = html`<h1>Webhooks</h1>
<p>Create a webhook with <code>hooks.create</code>. Each event is a POST to its URL, with two signatures: in
<code>x-service-signature</code> (HMAC-SHA1 of the body) and by <a href="https://www.standardwebhooks.com">Standard Webhooks</a>.
The service delivers each event at least once, and the events of a record in order. The body has the form of the webhook's version.</p>
<p>This page shows version ${docs.version}. <code>dispatch-cli hooks listen</code> shows events as they arrive, <code>hooks trigger</code>
sends a sample, <code>hooks verify</code> explains why a signature is invalid.</p>
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
