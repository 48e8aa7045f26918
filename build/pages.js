// Bundles src/pages/ into dist/pages/: an HTML file for each page, and its scripts and style sheets in files/. File
// names contain a hash, so that browsers may cache them forever.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

const source = "src/pages";
/** The pages of the reference at /docs, which are part of the program's build. */
const colors = "src/openapi/docs-pages/assets/colors.css";
/** The names of the pages. A page is a folder with a file of the same name. */
const pages = readdirSync(source).filter((name) => existsSync(join(source, name, `${name}.tsx`)));

/** Writes the pages into the existing `folder`. `tables` is the plugin of the table of operations. */
export async function buildPages(folder, { isDebug, tables, thirdParty }) {
  const files = join(folder, "pages/files");
  mkdirSync(files, { recursive: true });
  const { output } = await build({
    input: Object.fromEntries(pages.map((name) => [name, `${source}/${name}/${name}.tsx`])),
    platform: "browser",
    logLevel: "warn",
    plugins: [tables, luxonInPlace, thirdParty.watch("pages/files")],
    output: {
      dir: files,
      format: "esm",
      entryFileNames: "[name]-[hash].js",
      chunkFileNames: "[name]-[hash].js",
      codeSplitting: { groups: [{ name: "common", minShareCount: 2 }] },
      minify: !isDebug,
      sourcemap: isDebug,
    },
  });
  // The pages of the reference are part of the program, so its script has a fixed name.
  await build({
    input: `${source}/reference/reference.ts`,
    platform: "browser",
    logLevel: "warn",
    output: { file: join(folder, "pages/reference.js"), format: "iife", minify: !isDebug },
  });
  for (const name of pages) {
    const script = output.find((chunk) => chunk.isEntry && chunk.name === name);
    const styles = [
      writeStyles(files, "session", [colors, ...sheetsOf("session")]),
      writeStyles(files, name, sheetsOf(name)),
    ];
    writeFileSync(join(folder, `pages/${name}.html`), toHtml([script.fileName, ...script.imports], styles));
  }
}

/** Bundles Luxon into the scripts. */
const luxonInPlace = {
  name: "luxon-in-place",
  load: {
    filter: { id: /[\\/]runtime[\\/]load-luxon\.ts$/ },
    handler: () => 'import * as luxon from "luxon";\nexport const loadLuxon = () => luxon;',
  },
};

function sheetsOf(part) {
  const names = readdirSync(join(source, part)).filter((name) => name.endsWith(".css"));
  return names.toSorted().map((name) => join(source, part, name));
}

/** Writes style sheets as one file. Returns its name. */
function writeStyles(files, part, sheets) {
  const text = sheets.map((sheet) => readFileSync(sheet, "utf8")).join("\n");
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 8);
  const name = `${part}-${hash}.css`;
  writeFileSync(join(files, name), text);
  return name;
}

/** Returns a page's HTML. The server replaces `{base}` with the base path of all its paths. */
function toHtml([script, ...imports], styles) {
  const at = (file) => `{base}/pages/${file}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>dispatch-cli</title>
<link rel="icon" href="{base}/docs/assets/icon.svg" type="image/svg+xml">
${styles.map((file) => `<link rel="stylesheet" href="${at(file)}">`).join("\n")}
${imports.map((file) => `<link rel="modulepreload" href="${at(file)}">`).join("\n")}
<script type="module" src="${at(script)}"></script>
</head>
<body><noscript>This page needs JavaScript.</noscript></body>
</html>
`;
}
