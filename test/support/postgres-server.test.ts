import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("leaves a run that failed its exit code", async () => {
  const { outputFiles } = await build({
    bundle: true,
    format: "esm",
    packages: "external",
    platform: "node",
    stdin: {
      contents:
        'import { startPostgres } from "./postgres-server.ts"; void startPostgres; process.exitCode = 3;',
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    write: false,
  });
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-"], {
    input: outputFiles[0]?.text ?? "",
  });
  expect(status).toBe(3);
});
