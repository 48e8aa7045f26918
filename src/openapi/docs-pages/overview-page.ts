import type { OperationEntry } from "../operation-entry.ts";
import { fromMarkdown, type Html, html } from "./html.ts";
import { type Docs, type DocsPage, linkTo } from "./layout.ts";

export interface PlacedEntry {
  entry: OperationEntry;
  method: string;
  path: string;
}

export function entriesOf({ document }: Pick<Docs, "document">): PlacedEntry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ entry, method: method.toUpperCase(), path })),
  );
}

export function overviewPage(docs: Docs): DocsPage {
  const { base, document, version } = docs;
  const entries = entriesOf(docs);
  const main = html`<h1>${document.info.title}</h1>
${fromMarkdown(introductionOf(docs).lead)}
<h2 id="first-request">A first request</h2>
<p>Create a token with <code>dispatch-cli tokens create</code>. <code>x-tenant-id</code> names the tenant.
<a href="${linkTo(docs, "/conventions")}">Conventions</a> apply to every request.</p>
<pre tabindex="0" role="region" aria-label="A first request"><code>curl "$URL${base}/jobs?page_limit=2" \\
  -H "authorization: Bearer $TOKEN" \\
  -H "x-tenant-id: 1" \\
  -H "x-api-version: ${version}"</code></pre>
<h2 id="operations">Operations</h2>
<nav class="nouns" aria-label="Operations by noun">${document.tags.map(({ name }) => html`<a href="#${name}">${name}</a> `)}</nav>
${document.tags.map((tag) => showTag(docs, tag, entries))}`;
  return { title: document.info.title, main };
}

export function conventionsPage(docs: Docs): DocsPage {
  const main = html`<h1>Conventions</h1>
<p>These rules apply to every request and response.</p>
${fromMarkdown(introductionOf(docs).rest)}`;
  return { title: "Conventions", main };
}

function introductionOf({ document }: Docs): { lead: string; rest: string } {
  const [lead = "", ...sections] = document.info.description.split(/^(?=## )/m);
  return { lead, rest: sections.join("") };
}

function showTag(
  docs: Docs,
  tag: { name: string; description?: string },
  entries: readonly PlacedEntry[],
): Html {
  const own = entries.filter(({ entry }) => entry.tags.includes(tag.name));
  return html`<section><h3 id="${tag.name}">${tag.name}</h3>
${tag.description !== undefined && fromMarkdown(tag.description)}
<ul class="operations">${own.map((placed) => listOperation(docs, placed))}</ul></section>`;
}

export function listOperation(docs: Docs, { entry, method, path }: PlacedEntry): Html {
  return html`<li><a href="${linkTo(docs, `/operations/${entry.operationId}`)}">${entry.summary}</a>
${entry.deprecated === true && html`<span class="ends">deprecated</span>`}
<code class="place"><span class="method ${method.toLowerCase()}">${method}</span> ${path}</code></li>`;
}
