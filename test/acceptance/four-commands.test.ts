import { spawn } from "node:child_process";
import { closeSync, copyFileSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { programPath, serveStore, toEnv, toExit } from "../support/program.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

/** A caller's order as a dispatcher types it: find, create, assign, print. */
const order = [
  "find potmac",
  'jobs create --customer potomac --type drop-off --schedule-date "tomorrow 8:00" --reference-number PO-4471',
  'jobs assign PO-4471 --truck "truck 7"',
  'day print tomorrow --truck "truck 7" --out truck-7.pdf',
];

/** A yard in New York with customers, and a token of its owner. */
async function makeStore(data: string): Promise<string> {
  const run = async (line: string, input?: string) => {
    const result = await runCommand(toWords(line), {
      env: { DISPATCH_DATA: data },
      ...(input !== undefined && { input }),
    });
    expect([line, result.code, result.stderr]).toEqual([line, 0, ""]);
    return result.stdout;
  };
  await run('init --tenant "Capital Roll-Off" --location "Main yard" --time-zone America/New_York');
  await run('trucks create --name "Truck 7"');
  await run("customers create --body -", toCustomer("Potomac Roofing", "1745 T Street SE", "(202) 555-0100"));
  await run(
    "customers create --body -",
    toCustomer("Anacostia Concrete", "736 Sicard Street SE", "(202) 555-0101"),
  );
  return (JSON.parse(await run("tokens create --username owner -o json")) as { token: string }).token;
}

function toCustomer(name: string, line_1: string, number: string): string {
  const place = {
    country: "US",
    latitude: 38.867,
    locality: "Washington",
    longitude: -76.979,
    postcode: "20020",
  };
  const addresses = [{ ...place, is_billing: true, is_shipping: true, line_1, region: "DC" }];
  return JSON.stringify({ addresses, contacts: [{ name: "Dana", number }], name });
}

/** Types the commands into the built program; returns the text on the screen. */
async function record(env: Record<string, string>): Promise<string> {
  const file = join(folder, "screen.txt");
  const screen = openSync(file, "w");
  const told: string[] = [];
  let shown = 0;
  for (const line of order) {
    const child = spawn(process.execPath, [programPath, ...toWords(line)], {
      cwd: folder,
      env: toEnv(env),
      // Both streams in the order in which a terminal shows them.
      stdio: ["ignore", screen, screen],
    });
    const code = await toExit(child);
    const text = readFileSync(file, "utf8");
    told.push(`$ dispatch-cli ${line}\n${text.slice(shown)}`);
    shown = text.length;
    expect([line, code, told.at(-1)]).toEqual([line, 0, expect.anything()]);
  }
  closeSync(screen);
  return told.join("\n");
}

it("takes a caller's order in four commands without an ID, on a store and a server (npm run record)", async () => {
  const data = join(folder, "store.db");
  const served = join(folder, "served.db");
  const token = await makeStore(data);
  copyFileSync(data, served);
  const onStore = await record({ DISPATCH_DATA: data });
  expect(readFileSync(join(folder, "truck-7.pdf"), "latin1").slice(0, 5)).toBe("%PDF-");
  const server = await serveStore(served);
  try {
    expect(await record({ DISPATCH_TOKEN: token, DISPATCH_URL: server.url })).toBe(onStore);
  } finally {
    await server.end();
  }
  await expect(onStore).toMatchFileSnapshot("../../docs/four-commands.txt");
});
