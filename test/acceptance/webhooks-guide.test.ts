import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { startReceiver, toStandardSignature } from "../support/receiver.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const home = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => process.chdir(home));

function readCommands(): string[] {
  const text = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    block
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.replace(/^dispatch-cli /, "").replace(/ +# .*$/, "")),
  );
}

it("names commands that work, in their order, with a receiver that verifies", async () => {
  let secret = "";
  const receiver = await startReceiver((response, _, { headers, body }) => {
    const timestamp = String(headers["webhook-timestamp"]);
    const expected = toStandardSignature(secret, String(headers["webhook-id"]), timestamp, body);
    const isSigned = secret === "" || headers["webhook-signature"] === expected;
    const isNew = performance.timeOrigin + performance.now() - Number(timestamp) * 1000 < 300_000;
    response.writeHead(isSigned && isNew ? 204 : 401).end();
  });
  const commands = readCommands();
  expect(commands.length).toBeGreaterThan(10);
  for (const line of commands) {
    // The command would listen forever.
    const ended = line
      .replace("http://localhost:3000/hook", receiver.url)
      .replace(/^hooks listen .*/, "$& --for 100ms");
    const { code, stdout, stderr } = await runCommand(toWords(ended), { env: { DISPATCH_CONFIG: folder } });
    expect([line, code, stderr]).toEqual([line, 0, expect.any(String)]);
    if (!line.startsWith("hooks create")) continue;
    secret = /^secret +(\S+)$/m.exec(stdout)?.[1] ?? "";
    writeFileSync("secret.txt", secret);
    await catchDelivery();
  }

  async function catchDelivery() {
    await runCommand(toWords("trucks create --location 1 --name T --data try.db"));
    const { headers, body } = receiver.deliveries[0] ?? { headers: {}, body: "" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\n`);
    writeFileSync("headers.txt", lines.join(""));
    writeFileSync("body.json", body);
  }
});
