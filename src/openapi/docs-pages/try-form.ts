import type { Parameter } from "../parameters.ts";
import { type Html, html } from "./html.ts";
import type { PlacedEntry } from "./overview-page.ts";
import { exampleOf } from "./requests.ts";

/**
 * A form that calls an operation on this server; `docs.js` sends it, so it says what it needs where scripts are off. What
 * writes is a dry run unless its reader says otherwise.
 */
export function tryForm({ entry, method, path }: PlacedEntry, parameters: readonly Parameter[]): Html {
  const own = parameters.filter(({ in: place }) => place !== "header");
  const takesToken = entry.security === undefined;
  const media = entry.requestBody?.content["application/json"];
  const example = media && exampleOf(media);
  const isDryRun = method !== "GET";
  return html`<form class="try" data-method="${method}" data-path="${path}">
<noscript><p>The form needs JavaScript.</p></noscript>
<div class="inputs">${takesToken && tokenFields}
${own.map(showParameter)}</div>
${media && html`<p><label for="try-body">Body (JSON)</label><textarea id="try-body" name="body" rows="10" spellcheck="false">${JSON.stringify(example ?? {}, null, 2)}</textarea></p>`}
${isDryRun && html`<p><label class="choice"><input type="checkbox" name="dry-run" checked> Dry run: all checks, nothing stored</label></p>`}
<p><button type="submit">Send</button></p>
<div class="answer" hidden><h3>Answer</h3><p class="status" role="status"></p><pre tabindex="0" role="region" aria-label="The answer"><code></code></pre></div>
</form>`;
}

const tokenFields = html`<p><label for="try-token">Token (kept until this tab is closed)</label>
<input id="try-token" name="token" type="password" autocomplete="off" spellcheck="false"></p>
<p><label for="try-tenant">x-tenant-id</label>
<input id="try-tenant" name="tenant" inputmode="numeric" autocomplete="off"></p>`;

function showParameter({ in: place, name, required }: Parameter): Html {
  const id = `try-${place}-${name}`;
  return html`<p><label for="${id}">${name}${required && " (required)"}</label>
<input id="${id}" data-in="${place}" name="${name}" autocomplete="off" spellcheck="false"${required && html` required`}></p>`;
}
