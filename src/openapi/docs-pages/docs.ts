import type { Operation } from "../../core/operation.ts";
import { type ApiVersion, newestVersion } from "../../models/api-versions.ts";
import type { OpenapiDocument } from "../document.ts";
import type { Html } from "./html.ts";

/** What the links of a page begin with, and the version that they lead to. */
export interface PagePlace {
  /** The prefix of every path of the server; empty where it is at the root. */
  base: string;
  version: ApiVersion;
}

/** What the pages are made of: the document at a version, and the operations as they are declared. */
export interface Docs extends PagePlace {
  document: OpenapiDocument;
  operations: readonly Operation[];
}

/** A page without what all have in common. */
export interface DocsPage {
  title: string;
  main: Html;
}

/** The address of a page of the reference, like `/errors/too_long`, at the version of the page that leads there. */
export function linkTo({ base, version }: PagePlace, path: string): string {
  const [page = "", anchor] = path.split("#");
  const query = version === newestVersion ? "" : `?version=${version}`;
  return `${base}/docs${page}${query}${anchor === undefined ? "" : `#${anchor}`}`;
}
