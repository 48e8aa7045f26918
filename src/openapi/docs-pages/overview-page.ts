import type { OperationEntry } from "../operation-entry.ts";
import { fromMarkdown, type Html, html } from "./html.ts";
import { type Docs, type DocsPage, linkTo } from "./layout.ts";

/** An operation of the document with its place. */
export interface PlacedEntry {
  entry: OperationEntry;
  method: string;
  path: string;
}

/** The operations of the document, in its order. */
export function entriesOf({ document }: Pick<Docs, "document">): PlacedEntry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ entry, method: method.toUpperCase(), path })),
  );
}

/** The first page: what the service is, how a request looks, and every operation by its noun. What holds for all is apart. */
export function overviewPage(docs: Docs): DocsPage {
  const { base, document, version } = docs;
  const entries = entriesOf(docs);
  const main = html`<h1>${document.info.title}</h1>
${fromMarkdown(introductionOf(docs).lead)}
<h2 id="first-request">A first request</h2>
<p>A token is made with <code>dispatch-cli tokens create</code>; <code>x-tenant-id</code> names the tenant that a request is about.
<a href="${linkTo(docs, "/conventions")}">Conventions</a> says what holds for every request.</p>
<pre tabindex="0" role="region" aria-label="A first request"><code>curl "$URL${base}/jobs?page_limit=2" \\
  -H "authorization: Bearer $TOKEN" \\
  -H "x-tenant-id: 1" \\
  -H "x-api-version: ${version}"</code></pre>
<h2 id="operations">Operations</h2>
<nav class="nouns" aria-label="Operations by noun">${document.tags.map(({ name }) => html`<a href="#${name}">${name}</a> `)}</nav>
${document.tags.map((tag) => showTag(docs, tag, entries))}`;
  return { title: document.info.title, main };
}

/** What holds for every operation: versions, access, values, errors, lists. */
export function conventionsPage(docs: Docs): DocsPage {
  const main = html`<h1>Conventions</h1>
<p>What holds for every request and answer.</p>
${fromMarkdown(introductionOf(docs).rest)}`;
  return { title: "Conventions", main };
}

/** The first paragraph of the document's description, and its sections. */
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

/** An operation as a line that leads to its page. */
export function listOperation(docs: Docs, { entry, method, path }: PlacedEntry): Html {
  return html`<li><a href="${linkTo(docs, `/operations/${entry.operationId}`)}">${entry.summary}</a>
${entry.deprecated === true && html`<span class="ends">ends</span>`}
<code class="place"><span class="method ${method.toLowerCase()}">${method}</span> ${path}</code></li>`;
}
