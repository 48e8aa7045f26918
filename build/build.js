// Bundles src/ into dist/: one chunk for each part that is loaded on demand, so that a command reads only what it
// uses. With --debug the code is not minified, and source maps are next to the chunks: `node --enable-source-maps
// bin/dispatch-cli.js`.
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

/** Groups a file with all its imports, because the parts are useless alone. */
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

/** Code only for commands on a store or server, which a command's help does not need. */
const isActing = (file) => /[\\/]src[\\/](?:cli[\\/](?!presentation)|local-time[\\/]read-)/.test(file);

/** Code for every command that opens a store, without the code that other commands use too. */
const isDatabase = (file) =>
  /[\\/](?:better-sqlite3|kysely|src[\\/]store[\\/](?:access|migrations|postgres|search|sqlite))[\\/]/.test(
    file,
  ) && !/[\\/](?:address|row-scopes)\.ts$/.test(file);

/**
 * Leaves out the code that opens a store or delivers: signing loads Node.js's crypto, which costs `--help` 1.46
 * instead of 1.40 times `node -e 0`.
 */
const isLight = (file) =>
  !isActing(file) &&
  (/[\\/]src[\\/]store[\\/](?:\w+[\\/])*(?:address|row-scopes)\.ts$/.test(file) ||
    !/[\\/:](?:better-sqlite3|bindings|commander|kysely|src[\\/](?:store|local|webhooks)[\\/])/.test(file));

/**
 * Replaces modules that packages load at start and hardly ever use. Commander needs child processes only for external
 * programs. `bindings` looks in thirteen places for one file. The MCP server validates only forms, which it never
 * sends. The program uses only undici's client: no mocks, no browser parts, no caches, no proxies.
 */
const substitutes = {
  "@modelcontextprotocol/server/_shims":
    'exports.DefaultJsonSchemaValidator = class {}; exports.process = require("node:process");',
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
    const isOurs =
      /[\\/]node_modules[\\/](?:commander|better-sqlite3|@modelcontextprotocol[\\/]server)[\\/]/.test(
        importer ?? "",
      );
    return isOurs && Object.hasOwn(substitutes, id) ? substituted + id : null;
  },
  load: (id) => (id.startsWith(substituted) ? substitutes[id.slice(substituted.length)] : null),
};

/**
 * Replaces better-sqlite3 if npm could neither download nor compile it and therefore removed it. Such a build uses
 * the package once it is installed, and the SQLite of Node.js until then.
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

/** Loads text files imported as `import text from "./file.css?raw"`. */
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

/** Refuses cycles of chunks: chunks that wait for each other while they load have no exports yet. */
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
  // Threads have their own entry points.
  input: {
    main: "src/cli/main.ts",
    reader: "src/http/readers/reader.ts",
    thread: "src/documents/threads/thread.ts",
    // This file is part of the library; the rest is built separately.
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
  // Each operation is loaded on its own, with the operations that it builds on.
  checks: { ineffectiveDynamicImport: false },
  preserveEntrySignatures: "allow-extension",
  // Keep packages external that read files at run time, are native, or serve few commands.
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
    // A complete build replaces the last one.
    dir: "dist.new",
    // Node.js loads CommonJS in half the time of ES modules, and loading is most of start-up.
    format: "cjs",
    // Node.js 20 finds no loader for `import()` in code from the compile cache.
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    // Combine code of many commands in one file: each further file costs half a millisecond. Code that only opens a
    // store stays separate.
    codeSplitting: {
      groups: [
        // The program prints its version before it loads anything else.
        { name: "program-version", test: /program-version\.ts$/, priority: 7 },
        { name: "base", minShareCount: 60, priority: 6 },
        { name: "common", minShareCount: 10, test: isLight, priority: 5 },
        // Every command loads this code before the program knows the command's name.
        wholeOf("program", "src/cli/run.ts", { priority: 4 }),
        { name: "database", minShareCount: 8, test: isDatabase, priority: 3 },
        { name: "acting", minShareCount: 8, test: isActing, priority: 1 },
      ],
    },
    // Keep function names, for readable stacks.
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
