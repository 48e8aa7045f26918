import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const require = createRequire(import.meta.url);

/** Database drivers stay where they are installed: one is native, the other looks for modules that may not be there. */
const drivers: Plugin = {
  name: "drivers",
  setup(builder) {
    builder.onResolve({ filter: /^(?:better-sqlite3|pg)$/ }, ({ path }) => ({
      path: pathToFileURL(require.resolve(path)).href,
      external: true,
    }));
  },
};

// What is left of CommonJS in the bundle asks for Node's own modules.
const banner =
  'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);';

/** Makes a script of the tests into one file that `node` runs by itself, wherever it lies. */
export async function bundleScript(source: string, outfile: string): Promise<void> {
  await build({
    banner: { js: banner },
    bundle: true,
    entryPoints: [source],
    format: "esm",
    logLevel: "error",
    outfile,
    platform: "node",
    plugins: [drivers],
    target: "node20",
  });
}
