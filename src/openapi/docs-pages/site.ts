import colors from "./assets/colors.css?raw";
import css from "./assets/docs.css?raw";
import script from "./assets/docs.js?raw";
import icon from "./assets/icon.svg?raw";
import { changesPage } from "./changes-page.ts";
import { html } from "./html.ts";
import { type Docs, type DocsPage, linkTo, type PagePlace, toHtmlPage } from "./layout.ts";
import { operationPage } from "./operation-page.ts";
import { conventionsPage, overviewPage } from "./overview-page.ts";
import { errorPage, errorsPage, modelPage, modelsPage } from "./record-pages.ts";
import { webhooksPage } from "./webhooks-page.ts";

/** `path` is below `/docs`, like `/errors/too_long`; empty for the first page. null for an unknown path. */
export async function writePage(docs: Docs, path: string): Promise<string | null> {
  const [, section = "", name, ...more] = path.split("/");
  const page = more.length === 0 && (await findPage(docs, section, name));
  return page ? toHtmlPage(docs, path, page) : null;
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
    models: modelsPage,
    webhooks: webhooksPage,
  }),
);

const recordPages: ReadonlyMap<string, (docs: Docs, name: string) => DocsPage | null> = new Map(
  Object.entries({
    errors: errorPage,
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
  "docs.js": { mediaType: "text/javascript; charset=utf-8", text: script },
  "icon.svg": { mediaType: "image/svg+xml", text: icon },
};
