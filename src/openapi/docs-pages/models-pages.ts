import { type Docs, type DocsPage, linkTo } from "./docs.ts";
import { html } from "./html.ts";
import { showSchema } from "./schema-view.ts";

/** The models of the version, by name. */
export function modelsPage(docs: Docs): DocsPage {
  const names = Object.keys(docs.document.components.schemas);
  const main = html`<h1>Models</h1>
<p>What requests and answers are made of at version ${docs.version}. Every field of an answer is present; one without a value
is <code>null</code>. A request takes no field that its model does not list.</p>
<ul class="codes">${names.map((name) => html`<li><a href="${linkTo(docs, `/models/${name}`)}">${name}</a></li>`)}</ul>`;
  return { title: "Models", main };
}

/** The fields of a model; null for one that the version does not have. */
export function modelPage(docs: Docs, name: string): DocsPage | null {
  const { schemas } = docs.document.components;
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (!schema) return null;
  const main = html`<h1>${name}</h1>
${typeof schema.description === "string" && html`<p>${schema.description}</p>`}
${showSchema(docs, schema, `Fields of ${name}`)}`;
  return { title: name, main };
}
