import { guides } from "./guides.ts";
import { type Html, html } from "./html.ts";
import { type Docs, linkTo } from "./layout.ts";
import { entriesOf } from "./overview-page.ts";

/** The search, the guides, and all nouns, with the operations of the noun that the page is about. */
export function sideNav(docs: Docs, path: string): Html {
  const entries = entriesOf(docs);
  const here = entries.find(({ entry }) => path === `/operations/${entry.operationId}`)?.entry;
  const link = (to: string, text: string) =>
    html`<a href="${linkTo(docs, to)}"${path === to && html` aria-current="page"`}>${text}</a>`;
  const operations = entries.filter(({ entry }) => entry.tags[0] === here?.tags[0]);
  const showNoun = (name: string) =>
    html`<li>${link(`#${name}`, name)}${
      name === here?.tags[0] &&
      html`<ul>${operations.map(({ entry: { operationId } }) => html`<li>${link(`/operations/${operationId}`, operationId)}</li>`)}</ul>`
    }</li>`;
  return html`<nav class="side" aria-label="Contents">
<search><label for="find">Search</label> <input id="find" type="search" autocomplete="off" spellcheck="false">
<p role="status" hidden></p><ul class="found"></ul></search>
<h2>Guides</h2><ul>${guides.map((guide) => html`<li>${link(guide.path, guide.title)}</li>`)}</ul>
<h2>Operations</h2><ul>${docs.document.tags.map(({ name }) => showNoun(name))}</ul>
</nav>`;
}
