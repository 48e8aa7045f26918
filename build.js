// Bundles src/ into dist/: one chunk for each thing that is loaded on demand, so that a command reads only what it uses.
import { renameSync, rmSync } from "node:fs";
import { build } from "esbuild";

await build({
  bundle: true,
  entryPoints: ["src/main.ts"],
  // Those that read files of their own at run time or are native stay packages; so do those that few commands load.
  external: [
    "better-sqlite3",
    "dejavu-fonts-ttf",
    "fastify",
    "fontkit",
    "inquirer",
    "luxon",
    "negotiator",
    "pdfkit",
    "pg",
    "undici",
    "yaml",
  ],
  banner: {
    js: 'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);',
  },
  format: "esm",
  legalComments: "linked",
  logLevel: "warning",
  // What is read at start-up is most of start-up.
  minify: true,
  // Takes the place of the last build only when it is whole.
  outdir: "dist.new",
  platform: "node",
  sourcemap: true,
  splitting: true,
  target: "node20",
});
rmSync("dist", { recursive: true, force: true });
renameSync("dist.new", "dist");
