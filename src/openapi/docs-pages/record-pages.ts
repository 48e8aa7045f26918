import { type ErrorCode, errorKind, errorTable } from "../../errors/errors.ts";
import { html } from "./html.ts";
import { type Docs, type DocsPage, linkTo } from "./layout.ts";
import { showSchema } from "./schema-view.ts";

const codes = Object.keys(errorTable) as ErrorCode[];

export function errorsPage(docs: Docs): DocsPage {
  const isOverHttp = (code: ErrorCode) => errorKind(code).status !== null;
  const list = (some: readonly ErrorCode[]) =>
    html`<ul class="codes errors">${some.map(
      (code) =>
        html`<li><a href="${linkTo(docs, `/errors/${code}`)}"><code>${code}</code></a> <span>${errorKind(code).title}</span>${
          errorKind(code).status !== null && html` <span class="status">${errorKind(code).status}</span>`
        }</li>`,
    )}</ul>`;
  const main = html`<h1>Errors</h1>
<p>The server returns an error as JSON, or as problem details (RFC 9457) to clients that accept <code>application/problem+json</code>. Its
<code>code</code> is stable: releases add codes and never rename them. <code>errors</code> lists all violations of the
request, <code>see</code> has a request that helps to fix the error, and <code>request_id</code> identifies the request in the server's log.</p>
<h2>Over HTTP</h2>${list(codes.filter(isOverHttp))}
<h2>At the command line only</h2>${list(codes.filter((code) => !isOverHttp(code)))}`;
  return { title: "Errors", main };
}

export function errorPage(docs: Docs, code: string): DocsPage | null {
  if (!Object.hasOwn(errorTable, code)) return null;
  const known = code as ErrorCode;
  const { exitCode, explanation, fix, status, title } = errorKind(known);
  const others = codes.filter(
    (other) => other !== known && status !== null && errorKind(other).status === status,
  );
  const main = html`<h1><code>${code}</code></h1>
<p class="lead">${title}.</p>
<dl>
<dt>Why</dt><dd>${explanation}</dd>
<dt>What to do</dt><dd>${fix}</dd>
<dt>HTTP status</dt><dd>${status ?? "none: only the command line returns it"}</dd>
<dt>Exit code of <code>dispatch-cli</code></dt><dd>${exitCode}</dd>
</dl>
${
  others.length > 0 &&
  html`<h2>Other errors with status ${status}</h2><ul class="codes errors">${others.map(
    (other) =>
      html`<li><a href="${linkTo(docs, `/errors/${other}`)}"><code>${other}</code></a> <span>${errorKind(other).title}</span></li>`,
  )}</ul>`
}`;
  return { title: code, main };
}

export function modelsPage(docs: Docs): DocsPage {
  const names = Object.keys(docs.document.components.schemas);
  const main = html`<h1>Models</h1>
<p>The models of requests and responses at version ${docs.version}. Responses contain every field; a field without a value
is <code>null</code>. Requests must not contain unlisted fields.</p>
<ul class="codes">${names.map((name) => html`<li><a href="${linkTo(docs, `/models/${name}`)}">${name}</a></li>`)}</ul>`;
  return { title: "Models", main };
}

export function modelPage(docs: Docs, name: string): DocsPage | null {
  const { schemas } = docs.document.components;
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (!schema) return null;
  const main = html`<h1>${name}</h1>
${typeof schema.description === "string" && html`<p>${schema.description}</p>`}
${showSchema(docs, schema, `Fields of ${name}`)}`;
  return { title: name, main };
}
