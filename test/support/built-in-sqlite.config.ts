import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const standIn = fileURLToPath(new URL("built-in-sqlite.ts", import.meta.url));

/** Runs tests on the SQLite that Node 22.16 and later bring, as where better-sqlite3 could not be compiled. */
export default mergeConfig(base, {
  plugins: [
    {
      name: "built-in-sqlite",
      enforce: "pre",
      resolveId: (id: string) => (id === "better-sqlite3" ? standIn : null),
    },
  ],
});
