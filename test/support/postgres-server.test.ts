import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bundleScript } from "./bundle.ts";
import { useTempFolder } from "./temp-folder.ts";

const folder = useTempFolder();

it("keeps the exit code of a failed run", async () => {
  const source = join(folder, "script.ts");
  const server = fileURLToPath(new URL("postgres-server.ts", import.meta.url));
  writeFileSync(
    source,
    `import { startPostgres } from ${JSON.stringify(server)}; void startPostgres; process.exitCode = 3;`,
  );
  const script = join(folder, "script.mjs");
  await bundleScript(source, script);
  expect(spawnSync(process.execPath, [script]).status).toBe(3);
});
