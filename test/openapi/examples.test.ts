import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { recordExamples } from "./record-examples.ts";

const recorded = await recordExamples();

it("the examples are the responses of a demo store (npm run record)", async () => {
  const lines = [...recorded].map(([name, example]) => `${JSON.stringify(name)}:${JSON.stringify(example)}`);
  const file = fileURLToPath(new URL("../../src/openapi/examples.json", import.meta.url));

  await expect(`{\n${lines.join(",\n")}\n}\n`).toMatchFileSnapshot(file);
});
