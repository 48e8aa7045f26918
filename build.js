// Bundles src/ into dist/: one chunk for each thing that is loaded on demand, so that a command reads only what it uses.
import { renameSync, rmSync } from "node:fs";
import { build } from "rolldown";
import { buildLibrary } from "./build-library.js";

/**
 * Not what only those share that open a store or deliver: signing brings Node's crypto, without which a command's `--help`
 * goes from 1.46 to 1.40 times `node -e 0`.
 */
const isLight = (file) =>
  !/[\\/:](?:better-sqlite3|bindings|kysely|src[\\/](?:store|local|webhooks)[\\/])/.test(file);

/** What every command reads that opens a store, but for what is of use without one too. */
const isDatabase = (file) =>
  /[\\/](?:better-sqlite3|kysely|src[\\/]store[\\/](?:access|migrations|postgres|search|sqlite))[\\/]/.test(
    file,
  ) && !/[\\/](?:address|row-scopes)\.ts$/.test(file);

/**
 * What packages load at once and hardly ever use. Commander needs child processes for programs of its own only; and
 * `bindings` looks in thirteen places for what is in one.
 */
const substitutes = {
  "node:child_process": 'exports.spawn = (...words) => require("child_process").spawn(...words);',
  bindings: 'module.exports = () => require("better-sqlite3/build/Release/better_sqlite3.node");',
};
const substituted = "\0substitute:";

const substitute = {
  name: "substitute",
  resolveId(id, importer) {
    const isOurs = /[\\/]node_modules[\\/](?:commander|better-sqlite3)[\\/]/.test(importer ?? "");
    return isOurs && Object.hasOwn(substitutes, id) ? substituted + id : null;
  },
  load: (id) => (id.startsWith(substituted) ? substitutes[id.slice(substituted.length)] : null),
};

await build({
  // Threads load programs of their own.
  input: { main: "src/main.ts", reader: "src/http/readers/reader.ts", thread: "src/threads/thread.ts" },
  platform: "node",
  plugins: [substitute],
  preserveEntrySignatures: "allow-extension",
  // Those that read files of their own at run time or are native stay packages; so do those that few commands load.
  external: [
    "better-sqlite3/build/Release/better_sqlite3.node",
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
        { name: "base", minShareCount: 60, priority: 1 },
        { name: "common", minShareCount: 8, test: isLight, includeDependenciesRecursively: false },
        { name: "database", minShareCount: 8, test: isDatabase, includeDependenciesRecursively: false },
      ],
    },
    minify: true,
    sourcemap: true,
  },
});
await buildLibrary("dist.new");
rmSync("dist", { recursive: true, force: true });
renameSync("dist.new", "dist");
