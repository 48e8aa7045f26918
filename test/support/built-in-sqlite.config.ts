import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const standIn = fileURLToPath(new URL("built-in-sqlite.ts", import.meta.url));

/**
 * Runs the tests on the SQLite built into Node 22.16 and later, as on a machine where better-sqlite3 does not
 * compile.
 */
export default mergeConfig(base, {
  plugins: [
    {
      name: "built-in-sqlite",
      enforce: "pre",
      resolveId: (id: string) => (id === "better-sqlite3" ? standIn : null),
    },
  ],
});
