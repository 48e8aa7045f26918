import colours from "./assets/colours.css?raw";
import css from "./assets/docs.css?raw";
import script from "./assets/docs.js?raw";
import icon from "./assets/icon.svg?raw";
import { changesPage } from "./changes-page.ts";
import { type Docs, type DocsPage, linkTo } from "./docs.ts";
import { errorPage, errorsPage } from "./errors-pages.ts";
import { html } from "./html.ts";
import { toHtmlPage } from "./layout.ts";
import { modelPage, modelsPage } from "./models-pages.ts";
import { operationPage } from "./operation-page.ts";
import { conventionsPage, overviewPage } from "./overview-page.ts";
import { webhooksPage } from "./webhooks-page.ts";

/** A page of the reference, whole; `isFound` is false for one that says that there is none. */
export interface WrittenPage {
  isFound: boolean;
  text: string;
}

/** Writes the page at a path below `/docs`, like `/errors/too_long`; the first one is at the empty path. */
export async function writePage(docs: Docs, path: string): Promise<WrittenPage> {
  const [, section = "", name] = path.split("/");
  const page = await findPage(docs, section, name);
  const isWhole = path.split("/").length <= 3;
  if (page && isWhole) return { isFound: true, text: toHtmlPage(docs, path, page) };
  // What is there at no version leads to no other version either, and nothing of a strange address is repeated.
  return { isFound: false, text: toHtmlPage(docs, "", missingPage(docs)) };
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

function missingPage(docs: Docs): DocsPage {
  const main = html`<h1>There is no such page</h1>
<p>Version ${docs.version} has none at this address. <a href="${linkTo(docs, "")}">All operations</a></p>`;
  return { title: "Not found", main };
}

/** A file that pages refer to. */
export interface Asset {
  mediaType: string;
  text: string;
}

/** The files that pages refer to, by name; they come with the program. */
export const assets: Readonly<Record<string, Asset>> = {
  "docs.css": { mediaType: "text/css; charset=utf-8", text: colours + css },
  "docs.js": { mediaType: "text/javascript; charset=utf-8", text: script },
  "icon.svg": { mediaType: "image/svg+xml", text: icon },
};
