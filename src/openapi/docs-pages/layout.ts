import type { Operation } from "../../core/operation.ts";
import { type ApiVersion, apiVersions, newestVersion } from "../../models/api-versions.ts";
import type { OpenapiDocument } from "../document.ts";
import { type Html, html } from "./html.ts";

const sections = [
  ["", "Operations"],
  ["/conventions", "Conventions"],
  ["/guides", "Guides"],
  ["/models", "Models"],
  ["/webhooks", "Webhooks"],
  ["/errors", "Errors"],
  ["/changes", "Changes"],
] as const;

/** `path` is below `/docs`; the links to other versions keep it. */
export function toHtmlPage(
  place: PagePlace,
  path: string,
  { main, title }: DocsPage,
  side: Html | null = null,
): string {
  const { base, version } = place;
  const isHere = (section: string) =>
    section === "" ? path === "" || path.startsWith("/operations") : path.startsWith(section);
  const toVersion = (other: ApiVersion) => linkTo({ base, version: other }, path);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${version}</title>
<link rel="stylesheet" href="${base}/docs/assets/docs.css">
<link rel="icon" href="${base}/docs/assets/icon.svg" type="image/svg+xml">
<script src="${base}/docs/assets/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<nav aria-label="Sections">${sections.map(
    ([section, name]) =>
      html`<a href="${linkTo(place, section)}"${isHere(section) && html` aria-current="true"`}>${name}</a> `,
  )}<a href="${base}/openapi.json?version=${version}">openapi.json</a> <a href="${base}/llms.txt">llms.txt</a></nav>
<nav aria-label="Version" class="versions"><span>Version</span> ${apiVersions
    .toReversed()
    .map(
      (other) =>
        html`<a href="${toVersion(other)}"${other === version && html` aria-current="true"`}>${other}</a> `,
    )}</nav>
</header>
<div class="with-side">
${side}
<main id="main">
${main}
</main>
</div>
</body>
</html>
`.html;
}

export interface PagePlace {
  /** The server's base path; empty for the root. */
  base: string;
  version: ApiVersion;
}

export interface Docs extends PagePlace {
  document: OpenapiDocument;
  operations: readonly Operation[];
}

export interface DocsPage {
  title: string;
  main: Html;
}

/** `path` is like `/errors/too_long`. The link keeps the page's version. */
export function linkTo({ base, version }: PagePlace, path: string): string {
  const [page = "", anchor] = path.split("#");
  const query = version === newestVersion ? "" : `?version=${version}`;
  return `${base}/docs${page}${query}${anchor === undefined ? "" : `#${anchor}`}`;
}
