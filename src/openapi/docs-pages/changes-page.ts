import { setImmediate } from "node:timers/promises";
import type { Operation } from "../../core/operation.ts";
import { type ApiVersion, apiVersions } from "../../models/api-versions.ts";
import { historyOf } from "../description.ts";
import { diffVersions, type VersionDifference } from "../version-diff.ts";
import { fromInlineMarkdown, type Html, html } from "./html.ts";
import type { Docs, DocsPage } from "./layout.ts";
import { showJson } from "./schema-view.ts";

/** Newest version first, with an example from before and after each change. */
export async function changesPage({ operations }: Docs): Promise<DocsPage> {
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
