import { errorTable } from "../../errors/errors.ts";
import type { JsonSchema } from "../../models/fields.ts";
import type { Answer } from "../error-answers.ts";
import type { Parameter } from "../parameters.ts";
import { fromMarkdown, type Html, html } from "./html.ts";
import { type Docs, type DocsPage, linkTo } from "./layout.ts";
import { entriesOf, listOperation, type PlacedEntry } from "./overview-page.ts";
import {
  exampleOf,
  type MediaEntry,
  requiredFirst,
  showFields,
  showJson,
  showSchema,
  toType,
} from "./schema-view.ts";

/** The page of an operation; null for an unknown one. */
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
${showFields(docs, requiredFirst(parameters.map(toRow)), "Parameters")}
${showBody(docs, entry.requestBody?.content["application/json"])}
<h2 id="answer">Response</h2>
${Object.entries(entry.responses)
  .filter(([status]) => status === "200")
  .map(([, answer]) => showAnswer(docs, answer as Answer))}
${!isStream(entry.responses["200"]) && html`<h2 id="try">Try it</h2>${tryForm(docs, placed, parameters)}${snippets}`}
<h2 id="errors">Errors</h2>
<dl>${Object.keys(entry.responses)
    .filter((status) => Number(status) >= 400)
    .map((status) => html`<dt>${status}</dt><dd>${showCodes(docs, entry, Number(status))}</dd>`)}</dl>
${others.length > 0 && html`<h2>More operations on ${entry.tags[0]}</h2><ul class="operations">${others.map((other) => listOperation(docs, other))}</ul>`}`;
  return { title: entry.operationId, main };
}

/** The form waits for the end of a response, and a stream has none. */
const isStream = (answer: Answer | { $ref: string } | undefined) =>
  answer !== undefined && "content" in answer && "text/event-stream" in answer.content;

function showFacts({ operations }: Docs, { entry }: PlacedEntry): Html {
  const isCommand = operations.some(({ name }) => name === entry.operationId);
  return html`<dl>
<dt>Name</dt><dd><code>${entry.operationId}</code></dd>
${isCommand && html`<dt>Command</dt><dd><code>dispatch-cli ${entry.operationId.replace(".", " ")}</code></dd>`}
${entry["x-extension"] === true && html`<dt>Extension</dt><dd>not part of the original interface</dd>`}
</dl>`;
}

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
${example !== undefined && html`<details><summary>Example</summary>${showJson(example, "Example of the response")}</details>`}`;
  });
  return html`${parts}`;
}

function modelOf({ document }: Docs, schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return (typeof $ref === "string" && document.components.schemas[$ref.replace(/^.*\//, "")]) || schema;
}

function showCodes(docs: Docs, entry: PlacedEntry["entry"], status: number): Html {
  const codes = entry["x-error-codes"].filter((code) => errorTable[code].status === status);
  return html`${codes.map(
    (code) => html`<a href="${linkTo(docs, `/errors/${code}`)}"><code>${code}</code></a> `,
  )}`;
}

/** A form that calls an operation on this server. `reference.ts` sends it. Writes are dry runs by default. */
function tryForm(docs: Docs, { entry, method, path }: PlacedEntry, parameters: readonly Parameter[]): Html {
  const own = parameters
    .filter(({ in: place }) => place !== "header")
    .toSorted((one, other) => Number(other.required) - Number(one.required));
  const takesToken = entry.security === undefined;
  const media = entry.requestBody?.content["application/json"];
  const example = media && exampleOf(media);
  const isDryRun = method !== "GET";
  return html`<form class="try" data-operation="${entry.operationId}" data-method="${method}" data-path="${path}">
<noscript><p>The form needs JavaScript.</p></noscript>
<div class="inputs">${takesToken && tokenFields}
${own.map((parameter) => showParameter(docs, parameter))}</div>
${media && html`<p><label for="try-body">Body (JSON)</label><textarea id="try-body" name="body" rows="10" spellcheck="false">${JSON.stringify(example ?? {}, null, 2)}</textarea></p>`}
${isDryRun && html`<p><label class="choice"><input type="checkbox" name="dry-run" checked> Dry run: validate, but store nothing</label></p>`}
<p><button type="submit">Send</button></p>
<div class="answer" hidden><h3>Response</h3><p class="status" role="status"></p><pre tabindex="0" role="region" aria-label="Response"><code></code></pre></div>
</form>`;
}

const tokenFields = html`<p><label for="try-token">Token (kept until you close this tab)</label>
<input id="try-token" name="token" type="password" autocomplete="off" spellcheck="false"></p>
<p><label for="try-tenant">x-tenant-id</label>
<input id="try-tenant" name="tenant" inputmode="numeric" autocomplete="off"></p>`;

function showParameter(docs: Docs, { in: place, name, required, schema }: Parameter): Html {
  const id = `try-${place}-${name}`;
  const attributes = html`id="${id}" data-in="${place}" name="${name}"${required && html` required`}`;
  return html`<p><label for="${id}">${name}${required && " (required)"}</label>
${toInput(modelOf(docs, schema), attributes)}</p>`;
}

/** A choice, a number within its bounds, or a text with an example. */
function toInput(
  { anyOf, enum: choices, examples, maximum, minimum, type }: JsonSchema,
  attributes: Html,
): Html {
  const parts: JsonSchema[] = Array.isArray(anyOf) ? anyOf : [];
  const types = [type, ...parts.map((part) => part.type)].flat();
  const options = Array.isArray(choices) ? choices : types.includes("boolean") ? [true, false] : null;
  if (options)
    return html`<select ${attributes}><option></option>${options.map((option) => html`<option>${String(option)}</option>`)}</select>`;
  if (types.includes("integer") || types.includes("number"))
    return html`<input ${attributes} type="number" step="${types.includes("integer") ? "1" : "any"}"${
      typeof minimum === "number" && html` min="${minimum}"`
    }${typeof maximum === "number" && html` max="${maximum}"`}>`;
  const [example] = Array.isArray(examples) ? examples : [];
  return html`<input ${attributes} autocomplete="off" spellcheck="false" placeholder="${String(example ?? "")}">`;
}

/** `reference.ts` fills them from the form. */
const snippets = html`<div class="snippets" hidden>${[
  ["curl", "curl"],
  ["command", "Command line"],
  ["client", "TypeScript"],
].map(
  ([name, title]) => html`<details><summary>${title}</summary>
<pre tabindex="0" role="region" aria-label="${title}"><code data-snippet="${name}"></code></pre></details>`,
)}</div>`;
