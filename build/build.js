// Bundles src/ into dist/: one chunk for each thing that is loaded on demand, so that a command reads only what it uses.
// With --debug nothing is shortened and source maps lie beside the chunks: `node --enable-source-maps bin/dispatch-cli.js`.
import { readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { buildLibrary, readDeclarations } from "./library.js";
import { buildPages } from "./pages.js";
import { ThirdParty } from "./third-party.js";
import { packZips } from "./zips.js";

const isDebug = process.argv.includes("--debug");

/** A group of all that a file imports, and what that imports, as a whole: none of it is of use without the others. */
function wholeOf(name, root, others) {
  const imported = new Set();
  const add = (id, modules) => {
    if (imported.has(id)) return;
    imported.add(id);
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) add(next, modules);
  };
  const toName = (id, modules) => {
    if (imported.size === 0) add(fileURLToPath(new URL(`../${root}`, import.meta.url)), modules);
    return imported.has(id) ? name : null;
  };
  return { name: toName, debugName: name, ...others };
}

/** What only those share that act on a store or a server: the help of a command needs none of it. */
const isActing = (file) => /[\\/]src[\\/](?:cli[\\/](?!presentation)|local-time[\\/]read-)/.test(file);

/** What every command reads that opens a store, but for what is of use without one too. */
const isDatabase = (file) =>
  /[\\/](?:better-sqlite3|kysely|src[\\/]store[\\/](?:access|migrations|postgres|search|sqlite))[\\/]/.test(
    file,
  ) && !/[\\/](?:address|row-scopes)\.ts$/.test(file);

/**
 * Not what only those share that open a store or deliver: signing brings Node's crypto, without which a command's `--help`
 * goes from 1.46 to 1.40 times `node -e 0`.
 */
const isLight = (file) =>
  !isActing(file) &&
  (/[\\/]src[\\/]store[\\/](?:\w+[\\/])*(?:address|row-scopes)\.ts$/.test(file) ||
    !/[\\/:](?:better-sqlite3|bindings|commander|kysely|src[\\/](?:store|local|webhooks)[\\/])/.test(file));

/**
 * What packages load at once and hardly ever use. Commander needs child processes for programs of its own only;
 * `bindings` looks in thirteen places for what is in one; and inquirer's question that opens an editor, which nobody is
 * asked, brings the tables of every text encoding. Of undici only what sends requests is used: neither what stands in for it in
 * tests, nor what a browser has besides, nor caches, proxies and other ways to send the same.
 */
const substitutes = {
  "@inquirer/external-editor": "exports.editAsync = undefined;",
  "node:child_process": 'exports.spawn = (...words) => require("child_process").spawn(...words);',
  bindings: 'module.exports = () => require("better-sqlite3/build/Release/better_sqlite3.node");',
  undici: "exports.CacheStorage = class {};",
};
const substituted = "\0substitute:";
const isUnusedOfUndici = (id, importer) =>
  /[\\/]node_modules[\\/]undici[\\/]index\.js$/.test(importer) &&
  /^\.\/lib\/(?:cache\/|handler\/|interceptor\/|mock\/|web\/|dispatcher\/[\w-]+-(?:agent|client|pool)$)/.test(
    id,
  );

const substitute = {
  name: "substitute",
  resolveId(id, importer) {
    if (isUnusedOfUndici(id, importer ?? "")) return `${substituted}undici`;
    const isOurs = /[\\/]node_modules[\\/](?:commander|better-sqlite3|@inquirer[\\/]editor)[\\/]/.test(
      importer ?? "",
    );
    return isOurs && Object.hasOwn(substitutes, id) ? substituted + id : null;
  },
  load: (id) => (id.startsWith(substituted) ? substitutes[id.slice(substituted.length)] : null),
};

/**
 * Takes the place of better-sqlite3 where npm could neither download nor compile it and therefore removed it. Such a build
 * uses the package if somebody installs it later, and the SQLite of Node until then.
 */
const optionalSqlite = {
  name: "optional-sqlite",
  resolveId(id, importer) {
    if (id !== "better-sqlite3") return null;
    if (importer === absentSqlite) return { id, external: true };
    return isInstalled(id) ? null : absentSqlite;
  },
  load: (id) =>
    id === absentSqlite
      ? `try {
  module.exports = require("better-sqlite3");
} catch (error) {
  module.exports = class { constructor() { throw error; } };
  module.exports.SqliteError = class extends Error {};
}`
      : null,
};
const absentSqlite = "\0absent:better-sqlite3";

function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Texts that the program carries, as `import text from "./file.css?raw"` names them. */
const rawFiles = {
  name: "raw-files",
  resolveId: (id, importer) => (id.endsWith("?raw") && importer ? resolve(dirname(importer), id) : null),
  load: (id) =>
    id.endsWith("?raw")
      ? {
          code: `export default ${JSON.stringify(readFileSync(id.slice(0, -"?raw".length), "utf8"))};`,
          moduleType: "js",
        }
      : null,
};

/** A chunk that is loaded while it waits for another that waits for it has nothing to give yet. */
const refuseCycles = {
  name: "refuse-cycles",
  generateBundle(_options, bundle) {
    const checked = new Set();
    const check = (file, waiting) => {
      if (waiting.includes(file))
        throw new Error(`chunks import each other: ${[...waiting, file].join(" → ")}`);
      if (checked.has(file)) return;
      for (const imported of bundle[file]?.imports ?? []) check(imported, [...waiting, file]);
      checked.add(file);
    };
    for (const file of Object.keys(bundle)) check(file, []);
  },
};

const thirdParty = new ThirdParty();
const declared = await readDeclarations("dist.new");

await build({
  // Threads load programs of their own.
  input: {
    main: "src/main.ts",
    reader: "src/http/readers/reader.ts",
    thread: "src/documents/threads/thread.ts",
    // Of the library; the rest of it is built apart.
    "test-server": "src/library/start-test-server.ts",
  },
  platform: "node",
  plugins: [
    optionalSqlite,
    substitute,
    packZips,
    rawFiles,
    refuseCycles,
    declared.tables,
    thirdParty.watch(),
  ],
  // Operations are loaded one by one; one that others are made of is loaded with them.
  checks: { ineffectiveDynamicImport: false },
  preserveEntrySignatures: "allow-extension",
  // Those that read files of their own at run time or are native stay packages; so do those that few commands load.
  external: [
    "better-sqlite3/build/Release/better_sqlite3.node",
    "@opentelemetry/api",
    "@opentelemetry/sdk-node",
    "dejavu-fonts-ttf",
    "fontkit",
    "luxon",
    "pdfkit",
    "pg",
    "piscina",
    "yaml",
  ],
  logLevel: "warn",
  output: {
    // Takes the place of the last build only when it is whole.
    dir: "dist.new",
    // Node loads CommonJS in half the time of ES modules: most of start-up is loading.
    format: "cjs",
    // `import()` fails in what a compile cache gave: Node 20 then knows no loader for it.
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    // What many commands share is one file: each file more that is read costs half a millisecond. What only those share
    // that open a store stays apart.
    codeSplitting: {
      groups: [
        // Told before anything else is loaded.
        { name: "program-version", test: /program-version\.ts$/, priority: 7 },
        { name: "base", minShareCount: 60, priority: 6 },
        { name: "common", minShareCount: 10, test: isLight, priority: 5 },
        // What every command loads before it is known which one it is.
        wholeOf("program", "src/cli/run.ts", { priority: 4 }),
        { name: "database", minShareCount: 8, test: isDatabase, priority: 3 },
        { name: "acting", minShareCount: 8, test: isActing, priority: 1 },
      ],
    },
    // Names of functions stay: they are what a stack tells.
    minify: isDebug
      ? false
      : {
          compress: { keepNames: { class: true, function: true } },
          mangle: { keepNames: true },
          codegen: true,
        },
    sourcemap: isDebug,
  },
});
await buildLibrary("dist.new", thirdParty, declared);
await buildPages("dist.new", { isDebug, tables: declared.tables, thirdParty });
thirdParty.write("dist.new");
rmSync("dist", { recursive: true, force: true });
renameSync("dist.new", "dist");
