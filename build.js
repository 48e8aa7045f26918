// Bundles src/ into dist/: one chunk for each thing that is loaded on demand, so that a command reads only what it uses.
import { renameSync, rmSync } from "node:fs";
import { build } from "rolldown";

/** Not what only those share that open a store. */
const isLight = (file) => !/[\\/](?:kysely|src[\\/]store|src[\\/]local)/.test(file);

await build({
  input: "src/main.ts",
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  // Those that read files of their own at run time or are native stay packages; so do those that few commands load.
  external: [
    "better-sqlite3",
    "dejavu-fonts-ttf",
    "fastify",
    "fontkit",
    "luxon",
    "negotiator",
    "pdfkit",
    "pg",
    "undici",
    "yaml",
  ],
  logLevel: "warn",
  output: {
    // Takes the place of the last build only when it is whole.
    dir: "dist.new",
    // Node loads CommonJS in half the time of ES modules: most of start-up is loading.
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    // What many commands share is one file: each file more that is read costs half a millisecond. What only those share
    // that open a store stays apart.
    codeSplitting: {
      groups: [
        { name: "base", minShareCount: 60, priority: 1 },
        { name: "common", minShareCount: 8, test: isLight, includeDependenciesRecursively: false },
      ],
    },
    minify: true,
    sourcemap: true,
  },
});
rmSync("dist", { recursive: true, force: true });
renameSync("dist.new", "dist");
