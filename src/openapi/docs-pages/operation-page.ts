import { errorTable } from "../../errors/errors.ts";
import type { JsonSchema } from "../../models/fields.ts";
import { hasCommand, ownIdOf, toCommandOptions } from "../../records/command-options.ts";
import { kindOfList } from "../../records/find-kind.ts";
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

function showFacts(docs: Docs, { entry }: PlacedEntry): Html {
  const command = toCommand(docs, entry.operationId);
  return html`<dl>
<dt>Name</dt><dd><code>${entry.operationId}</code></dd>
${command && html`<dt>Command</dt><dd><code>dispatch-cli ${command.words}</code></dd>`}
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

/** A form that calls an operation on this server. `try-form.ts` fills and sends it. Writes are dry runs by default. */
function tryForm(docs: Docs, placed: PlacedEntry, parameters: readonly Parameter[]): Html {
  const { entry, method, path } = placed;
  const media = entry.requestBody?.content["application/json"];
  const toSchema = (place: Parameter["in"]) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return {
      properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
      required: own.filter(({ required }) => required).map(({ name }) => name),
    };
  };
  const about = {
    operation: entry.operationId,
    method,
    path,
    schemas: { path: toSchema("path"), query: toSchema("query"), body: media?.schema ?? null },
    command: toCommand(docs, entry.operationId),
  };
  return html`<form class="try" data-about="${JSON.stringify(withModels(docs, about))}">
<noscript><p>The form needs JavaScript.</p></noscript>
<div class="inputs parameters">${entry.security === undefined && tokenFields}</div>
${
  media &&
  html`<h3>Body</h3>
<p><label class="choice"><input type="checkbox" name="raw"> Write the body as JSON</label></p>
<fieldset class="inputs fields" aria-label="Body"></fieldset>
<p hidden><label for="try-body">Body (JSON)</label><textarea id="try-body" name="body" rows="10" spellcheck="false">${JSON.stringify(exampleOf(media) ?? {}, null, 2)}</textarea></p>`
}
${method !== "GET" && html`<p><label class="choice"><input type="checkbox" name="dry-run" checked> Dry run: validate, but store nothing</label></p>`}
<p><button type="submit">Send</button></p>
<div class="answer" hidden><h3>Response</h3><p class="status" role="status"></p><pre tabindex="0" role="region" aria-label="Response"><code></code></pre></div>
</form>`;
}

/** Replaces references by the models themselves. */
function withModels(docs: Docs, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => withModels(docs, entry));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...schema } = value as JsonSchema;
  if (typeof $ref === "string") return withModels(docs, { ...modelOf(docs, { $ref }), ...schema });
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, withModels(docs, part)]));
}

function toCommand({ operations }: Docs, name: string) {
  const operation = operations.find((known) => known.name === name);
  if (!operation || !hasCommand(name)) return null;
  const options = toCommandOptions(operation).filter(({ isSecret }) => !isSecret);
  return {
    words: `${name.replace(".", " ")}${kindOfList(name)?.openQuery ? " --all-states" : ""}`,
    ownId: ownIdOf(operation),
    options: Object.fromEntries(
      options.map(({ field, name: own, part, spokenName }) => [`${part}.${field}`, `--${spokenName ?? own}`]),
    ),
    takesDryRun: operation.effect === "write" || operation.effect === "delete",
  };
}

const tokenFields = html`<p><label for="try-token">Token (kept until you close this tab)</label>
<input id="try-token" name="token" type="password" autocomplete="off" spellcheck="false"></p>
<p><label for="try-tenant">x-tenant-id</label>
<input id="try-tenant" name="tenant" inputmode="numeric" autocomplete="off"></p>`;

/** `try-form.ts` fills them from the form. */
const snippets = html`<div class="snippets" hidden>${[
  ["curl", "curl"],
  ["command", "Command line"],
  ["client", "TypeScript"],
].map(
  ([name, title]) => html`<details><summary>${title}</summary>
<pre tabindex="0" role="region" aria-label="${title}"><code data-snippet="${name}"></code></pre></details>`,
)}</div>`;
