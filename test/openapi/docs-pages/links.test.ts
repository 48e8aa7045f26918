import { expect, it } from "vitest";
import { errorTable } from "../../../src/errors/errors.ts";
import { apiVersions, defaultVersion, newestVersion } from "../../../src/models/api-versions.ts";
import { writePage } from "../../../src/openapi/docs-pages/site.ts";
import { toOpenapi } from "../../../src/openapi/document.ts";
import { loadOperations } from "../../../src/operations/index.ts";

const operations = await loadOperations();

/** Every link must start with the base path. */
const base = "/base";

/** Files that pages link to. */
const files = [
  "/openapi.json",
  "/llms.txt",
  "/docs/assets/docs.css",
  "/docs/assets/docs.js",
  "/docs/assets/icon.svg",
];

it.each([newestVersion, defaultVersion])(
  "the reference of %s has a page for every operation, model and error, and no broken link",
  async (version) => {
    const document = toOpenapi(operations, version);
    const docs = { base, document, operations, version };
    const pages = new Map<string, string>();
    const links = new Set<string>();
    const waiting = [""];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const text = await writePage(docs, path);
      expect([path, text]).not.toEqual([path, null]);
      if (text === null) continue;
      pages.set(path, text);
      const found = [...text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = ""]) =>
        link.startsWith("#") ? `${base}/docs${path}${link}` : link,
      );
      for (const link of found) {
        links.add(link);
        const next = pathOf(link);
        const isOther = files.includes(next) || versionOf(link) !== version;
        if (!isOther && next.startsWith("/docs") && !pages.has(next.slice("/docs".length)))
          waiting.push(next.slice("/docs".length));
      }
    }
    const entries = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect([...pages.keys()].sort()).toEqual(
      [
        ...["", "/changes", "/conventions", "/errors", "/guides", "/models", "/webhooks"],
        ...["/library", "/mcp", "/roles", "/states", "/webhooks"].map((name) => `/guides${name}`),
        ...entries.map(({ operationId }) => `/operations/${operationId}`),
        ...Object.keys(document.components.schemas).map((name) => `/models/${name}`),
        ...Object.keys(errorTable).map((code) => `/errors/${code}`),
      ].sort(),
    );
    for (const name of Object.keys(document.webhooks))
      expect(pages.get("/webhooks")).toContain(`id="${name}"`);

    const outside = [...links].filter((link) => !link.startsWith(`${base}/`));
    expect(outside.filter((link) => link !== "https://www.standardwebhooks.com")).toEqual([]);
    const anchored = [...links].filter((link) => link.includes("#") && versionOf(link) === version);
    expect(anchored.length).toBeGreaterThan(20);
    const lost = anchored.filter((link) => {
      const [, anchor] = link.split("#");
      return !pages.get(pathOf(link).slice("/docs".length))?.includes(`id="${anchor}"`);
    });
    expect(lost).toEqual([]);
    expect(new Set([...links].filter((link) => pathOf(link).startsWith("/docs")).map(versionOf))).toEqual(
      new Set(apiVersions),
    );
  },
);

const pathOf = (link: string) => (link.split(/[?#]/, 1)[0] ?? "").slice(base.length);

const versionOf = (link: string) => /version=([\d/]+)/.exec(link)?.[1] ?? newestVersion;
