import { setImmediate } from "node:timers/promises";
import type { Operation } from "../../core/operation.ts";
import { errorTable } from "../../errors/errors.ts";
import { type ApiVersion, apiVersions } from "../../models/api-versions.ts";
import type { JsonSchema } from "../../models/fields.ts";
import { historyOf } from "../description.ts";
import type { Parameter } from "../parameters.ts";
import { diffVersions, type VersionDifference } from "../version-diff.ts";
import colors from "./assets/colors.css?raw";
import css from "./assets/docs.css?raw";
import icon from "./assets/icon.svg?raw";
import { guidePage, guides, guidesPage } from "./guides.ts";
import { fromInlineMarkdown, fromMarkdown, type Html, html } from "./html.ts";
import { type Docs, type DocsPage, linkTo, type PagePlace, toHtmlPage } from "./layout.ts";
import { operationPage } from "./operation-page.ts";
import { conventionsPage, entriesOf, overviewPage } from "./overview-page.ts";
import { errorPage, errorsPage, modelPage, modelsPage } from "./record-pages.ts";
import { exampleOf, type MediaEntry, showFields, showJson, toType } from "./schema-view.ts";
import { sideNav } from "./side-nav.ts";

/** `path` is below `/docs`, like `/errors/too_long`; empty for the first page. null for an unknown path. */
export async function writePage(docs: Docs, path: string): Promise<string | null> {
  const [, section = "", name, ...more] = path.split("/");
  const page = more.length === 0 && (await findPage(docs, section, name));
  return page ? toHtmlPage(docs, path, page, sideNav(docs, path)) : null;
}

/** For the search: the name, the address, and the text of each page, and more words of some. */
export async function writeIndex(docs: Docs): Promise<string> {
  const { schemas } = docs.document.components;
  const fieldsOf = ({ $ref, properties = {} }: JsonSchema = {}): string =>
    typeof $ref === "string"
      ? fieldsOf(schemas[$ref.replace(/^.*\//, "")])
      : Object.entries(properties as Record<string, JsonSchema>)
          .map(([name, { description = "" }]) => `${name} ${description}`)
          .join(" ");
  const guideEntries: string[][] = [];
  for (const { path, text, title } of guides) {
    const [, section = "", name] = path.split("/");
    const page = await findPage(docs, section, name);
    guideEntries.push([title, path, text, page ? wordsOf(page.main) : ""]);
  }
  const entries = [
    ...entriesOf(docs).map(({ entry, method, path }) => [
      entry.operationId,
      `/operations/${entry.operationId}`,
      `${entry.summary}. ${method} ${path}`,
      [
        entry.description,
        ...entry.parameters.map((parameter) =>
          "name" in parameter ? `${parameter.name} ${parameter.description}` : "",
        ),
        fieldsOf(entry.requestBody?.content["application/json"]?.schema),
      ].join(" "),
    ]),
    ...guideEntries,
    ...Object.keys(schemas).map((name) => [
      name,
      `/models/${name}`,
      Object.keys(schemas[name]?.properties ?? {}).join(" "),
    ]),
    ...Object.entries(errorTable).map(([code, { explanation, status, title }]) => [
      code,
      `/errors/${code}`,
      title,
      `${status} ${explanation}`,
    ]),
  ];
  return JSON.stringify(entries.map(([name, path = "", ...texts]) => [name, linkTo(docs, path), ...texts]));
}

/** Each word once, because the search looks for words and not for phrases. */
function wordsOf({ html: page }: Html): string {
  const words = page
    .replace(/<[^>]+>|&\w+;/g, " ")
    .toLowerCase()
    .split(/\s+/);
  return [...new Set(words)].join(" ");
}

/** Must not repeat the requested address, which may contain HTML. */
export function writeMissingPage(place: PagePlace): string {
  const main = html`<h1>Page not found</h1>
<p>Version ${place.version} has no page at this address. <a href="${linkTo(place, "")}">All operations</a></p>`;
  return toHtmlPage(place, "", { title: "Not found", main });
}

function findPage(
  docs: Docs,
  section: string,
  name: string | undefined,
): Promise<DocsPage | null> | DocsPage | null {
  if (name === undefined) return pages.get(section)?.(docs) ?? null;
  return recordPages.get(section)?.(docs, name) ?? null;
}

const pages: ReadonlyMap<string, (docs: Docs) => DocsPage | Promise<DocsPage>> = new Map(
  Object.entries({
    "": overviewPage,
    changes: changesPage,
    conventions: conventionsPage,
    errors: errorsPage,
    guides: guidesPage,
    models: modelsPage,
    webhooks: webhooksPage,
  }),
);

const recordPages: ReadonlyMap<string, (docs: Docs, name: string) => DocsPage | null> = new Map(
  Object.entries({
    errors: errorPage,
    guides: guidePage,
    models: modelPage,
    operations: operationPage,
  }),
);

export interface Asset {
  mediaType: string;
  text: string;
}

export const assets: Readonly<Record<string, Asset>> = {
  "docs.css": { mediaType: "text/css; charset=utf-8", text: colors + css },
  "icon.svg": { mediaType: "image/svg+xml", text: icon },
};

/** Newest version first, with an example from before and after each change. */
async function changesPage({ operations }: Docs): Promise<DocsPage> {
  const steps: Html[] = [];
  for (const [index, version] of apiVersions.entries()) {
    const differences = await differencesOf(operations, apiVersions[index - 1], version);
    steps.unshift(html`<section><h2 id="${version.replaceAll("/", "-")}">${version}</h2>
${historyOf(version, operations).map((text) => html`<p>${fromInlineMarkdown(text)}</p>`)}
${differences.map((difference) => showDifference(version, difference))}</section>`);
  }
  const main = html`<h1>Changes between versions</h1>
<p>A request names its version in <code>x-api-version</code>. Each webhook has its own version.</p>
${steps}`;
  return { title: "Changes", main };
}

/** Cached: the pages of all versions show the same differences. */
const known = new Map<ApiVersion, readonly VersionDifference[]>();

/** Yields after each version (25 ms), so that the server can handle other requests. */
async function differencesOf(
  operations: readonly Operation[],
  before: ApiVersion | undefined,
  version: ApiVersion,
): Promise<readonly VersionDifference[]> {
  if (before === undefined) return [];
  await setImmediate();
  const differences = known.get(version) ?? diffVersions(operations, before, version);
  known.set(version, differences);
  return differences;
}

function showDifference(version: string, { after, before, operations, part }: VersionDifference): Html {
  const names = operations.map((name) => name.replace(" ", ".")).join(", ");
  const show = (when: string, value: unknown) =>
    html`<div><h3>${when}</h3>${value === null ? html`<p>nothing</p>` : showJson(value, `${when} ${version}: ${part} of ${names}`)}</div>`;
  return html`<details><summary>${part}: ${names}</summary>
<div class="sides">${show("Before", before)}${show("Since", after)}</div></details>`;
}

interface WebhookRequest {
  summary?: string;
  description?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, MediaEntry> };
}

function webhooksPage(docs: Docs): DocsPage {
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
