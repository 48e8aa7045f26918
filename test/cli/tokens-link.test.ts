import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");

it("prints a link and a QR code for a driver or a user, and no log shows a secret", async () => {
  const onStore = { DISPATCH_DATA: data };
  const adminToken = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
  const log: string[] = [];
  const { end, env } = await serveStore(data, adminToken, { write: (line) => log.push(line) });
  onTestFinished(() => end());
  const run = (words: string, setting: Record<string, string> = env) =>
    runCommand(words.split(" "), { env: setting });
  const ok = async (words: string) => JSON.parse((await run(`${words} -o json`)).stdout);

  const { id: driverId } = await ok("drivers create --location 1 --name Dana");
  const without = await run("tokens link --driver Dana");
  expect(without.stderr).toContain(
    `dispatch-cli users create --location 1 --username <name> --roles Driver --driver ${driverId}`,
  );
  await ok(`users create --location 1 --username dana --roles Driver --driver ${driverId}`);
  const { link, ...facts } = await ok("tokens link --driver Dana");
  expect(facts).toMatchObject({ roles: ["Driver"], username: "dana" });
  const [address, secret = ""] = link.split("#sign-in=");
  expect(address).toBe(`${env.DISPATCH_URL}/board`);
  const authorization = `Bearer ${secret}`;
  const received = await fetch(`${env.DISPATCH_URL}/sign-in`, { headers: { authorization }, method: "POST" });
  const { token } = (await received.json()) as { token: string };

  const shown = await run("tokens link --user dana --at https://dispatch.example.com/", onStore);
  const [, drawn = ""] = /dispatch\.example\.com\/board#sign-in=(\S+)/.exec(shown.stdout) ?? [];
  expect(shown.stdout).toMatch(/[█▀▄]{20}/);
  expect((await run("tokens link --user dana", onStore)).stderr).toContain("--at");
  expect((await run("tokens link")).stderr).toContain("either --driver or --user");

  await fetch(`${env.DISPATCH_URL}/sign-in`, { headers: { authorization }, method: "POST" });
  expect(log.join("")).toContain("/sign-in");
  for (const text of [secret, token, drawn]) {
    const [, , random = ""] = text.split(".");
    expect(random).toHaveLength(43);
    expect(log.join("")).not.toContain(random);
  }
});
