import type { JsonSchema } from "../../models/fields.ts";
import type { Answer } from "../error-answers.ts";
import type { Parameter } from "../parameters.ts";
import { type Docs, type DocsPage, linkTo } from "./docs.ts";
import { type Html, html } from "./html.ts";
import { fromMarkdown } from "./markdown.ts";
import { entriesOf, listOperation, type PlacedEntry } from "./overview-page.ts";
import { exampleOf, type MediaEntry } from "./requests.ts";
import { showFields, showJson, showSchema, toType } from "./schema-view.ts";
import { tryForm } from "./try-form.ts";

/** An operation, whose description names its roles and events: what it takes and answers, who may call it, how it fails, and a form that calls it; null for none. */
export function operationPage(docs: Docs, name: string): DocsPage | null {
  const entries = entriesOf(docs);
  const placed = entries.find(({ entry }) => entry.operationId === name);
  if (!placed) return null;
  const { entry, method, path } = placed;
  const parameters = entry.parameters.map((parameter) => resolve(docs, parameter));
  const others = entries.filter((other) => other !== placed && other.entry.tags[0] === entry.tags[0]);
  const main = html`<p class="crumb"><a href="${linkTo(docs, `#${entry.tags[0]}`)}">${entry.tags[0]}</a></p>
<h1>${entry.summary}</h1>
<p><code class="place"><span class="method ${method.toLowerCase()}">${method}</span> ${path}</code></p>
${entry.description !== undefined && fromMarkdown(entry.description)}
${showFacts(docs, placed)}
<h2 id="parameters">Parameters</h2>
${showFields(docs, parameters.map(toRow), "Parameters")}
${showBody(docs, entry.requestBody?.content["application/json"])}
<h2 id="answer">Answer</h2>
${Object.entries(entry.responses)
  .filter(([status]) => status === "200")
  .map(([, answer]) => showAnswer(docs, answer as Answer))}
${!isStream(entry.responses["200"]) && html`<h2 id="try">Try it</h2>${tryForm(placed, parameters)}`}
<h2 id="errors">Errors</h2>
<dl>${Object.entries(entry.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, answer]) => html`<dt>${status}</dt><dd>${showCodes(docs, answer)}</dd>`)}</dl>
${others.length > 0 && html`<h2>Others of ${entry.tags[0]}</h2><ul class="operations">${others.map((other) => listOperation(docs, other))}</ul>`}`;
  return { title: entry.operationId, main };
}

/** It goes on, and the form waits for the end of an answer. */
const isStream = (answer: Answer | { $ref: string } | undefined) =>
  answer !== undefined && "content" in answer && "text/event-stream" in answer.content;

function showFacts({ operations }: Docs, { entry }: PlacedEntry): Html {
  const isCommand = operations.some(({ name }) => name === entry.operationId);
  return html`<dl>
<dt>Name</dt><dd><code>${entry.operationId}</code></dd>
${isCommand && html`<dt>Command</dt><dd><code>dispatch-cli ${entry.operationId.replace(".", " ")}</code></dd>`}
${entry["x-extension"] === true && html`<dt>Extension</dt><dd>an addition of this product</dd>`}
</dl>`;
}

/** What stands at a reference of the document. */
function resolve({ document }: Docs, parameter: Parameter | { $ref: string }): Parameter {
  if (!("$ref" in parameter)) return parameter;
  const known = document.components.parameters[parameter.$ref.replace(/^.*\//, "")];
  if (!known) throw new Error(`The document has no ${parameter.$ref}.`);
  return known;
}

const toRow = ({ description, name, required, schema, in: place }: Parameter) => ({
  name,
  schema,
  isRequired: required,
  description: [place === "query" ? "" : `${place}: `, description].join(""),
});

function showBody(docs: Docs, media: MediaEntry | undefined): Html | null {
  if (!media) return null;
  const example = exampleOf(media);
  return html`<h2 id="body">Body</h2>
<p>${toType(docs, media.schema)}</p>
${showSchema(docs, modelOf(docs, media.schema), "Fields of the body")}
${example !== undefined && html`<h3>Example</h3>${showJson(example, "Example of the body")}`}`;
}

function showAnswer(docs: Docs, { content }: Answer): Html {
  const parts = Object.entries(content).map(([mediaType, media]) => {
    const example = exampleOf(media);
    return html`<p><code>${mediaType}</code>: ${toType(docs, media.schema)}</p>
${example !== undefined && html`<details><summary>Example</summary>${showJson(example, "Example of the answer")}</details>`}`;
  });
  return html`${parts}`;
}

function modelOf({ document }: Docs, schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return (typeof $ref === "string" && document.components.schemas[$ref.replace(/^.*\//, "")]) || schema;
}

/** The codes of a status, each with its page. */
function showCodes(docs: Docs, answer: Answer | { $ref: string }): Html {
  const known =
    "$ref" in answer ? docs.document.components.responses[answer.$ref.replace(/^.*\//, "")] : answer;
  const codes = [...(known?.description ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1] ?? "");
  return html`${[...new Set(codes)].map(
    (code) => html`<a href="${linkTo(docs, `/errors/${code}`)}"><code>${code}</code></a> `,
  )}`;
}
