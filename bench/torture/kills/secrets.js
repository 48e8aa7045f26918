// Kills the encryption of secrets and the change of keys halfway. The owner of the keys must still have every secret,
// and the repeated command must finish.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findIll, mustRun, runCommand } from "../stores.js";
import { judgeForms, judgePlainText, judgeSecrets } from "./judge.js";

const tenants = ["Acme", "Bravo"];
const hooksEach = 2;
/** About as long as the command runs. */
const spanMs = 500;

export const secretScenarios = [{ name: "secrets encrypt and rotate", open: openSecrets, round: killReseal }];

/** Creates a store of some tenants with webhooks. Returns their plain secrets by webhook id. */
async function openSecrets({ fresh, folder, isFile }) {
  const data = await fresh("secrets.db");
  await succeed(["init", "--tenant", tenants[0], "--location", "Yard", "--data", data]);
  for (const name of tenants.slice(1)) {
    const argv = ["tenants", "create", "--name", name, "--owner", name.toLowerCase(), "--data", data];
    await succeed([...argv, "--code", name.toLowerCase()]);
  }
  const hooks = [];
  for (const tenant of tenants.keys()) {
    for (let index = 0; index < hooksEach; index++) {
      const url = `https://example.com/${tenant}/${index}`;
      const argv = ["hooks", "create", "--events", "Truck", "--callback-url", url, "-o", "json"];
      const { id, secret } = JSON.parse(await succeed([...argv, ...at(data, tenant)]));
      hooks.push({ id, secret, tenant });
    }
  }
  return { data, folder, hooks, isFile, keyFile: null };
}

const at = (data, tenant) => ["--data", data, "--tenant", String(tenant + 1)];

async function succeed(argv) {
  const { code, stderr, stdout } = await runCommand(argv);
  if (code !== 0) throw new Error(`${argv.slice(0, 2).join(" ")} exits with ${code}: ${stderr}`);
  return stdout;
}

async function killReseal(state, { number, strike }) {
  const { data, folder, keyFile } = state;
  const newFile = writeKeys(folder, `${number}.key`, [randomBytes(32).toString("base64")]);
  const argv =
    keyFile === null
      ? ["secrets", "encrypt", "--secret-key-file", newFile]
      : ["secrets", "rotate", "--secret-key-file", keyFile, "--new-key-file", newFile];
  const { point } = await strike([...argv, "--data", data], spanMs);
  const texts = [newFile, keyFile].filter(Boolean).map((file) => readFileSync(file, "utf8").trim());
  const bothFile = writeKeys(folder, `${number}-both.key`, texts);
  const wrongs = await findLost(state, bothFile);
  wrongs.push(...(await mustRun([...argv, "--data", data])), ...(await findLost(state, newFile)));
  const status = JSON.parse(await succeed(["secrets", "status", "--data", data, "-o", "json"]));
  wrongs.push(...judgeForms(status, state.hooks.length), ...findPlain(state), ...(await findIll(data)));
  state.keyFile = newFile;
  return { point, wrongs };
}

function writeKeys(folder, name, texts) {
  const file = join(folder, name);
  writeFileSync(file, `${texts.join("\n")}\n`, { mode: 0o600 });
  return file;
}

/** Returns secrets that differ from the original ones when read with these keys. */
async function findLost({ data, hooks }, keyFile) {
  const shown = new Map();
  for (const tenant of tenants.keys()) {
    const argv = ["hooks", "list", "-o", "json", "--secret-key-file", keyFile, ...at(data, tenant)];
    const { code, stderr, stdout } = await runCommand(argv);
    if (code !== 0) return [`hooks list exits with ${code}: ${stderr.trim().slice(0, 300)}`];
    for (const { id, secret } of JSON.parse(stdout).results) shown.set(id, secret);
  }
  return judgeSecrets(hooks, shown);
}

/** Returns plain text that remains in a store's file, or in the files next to it. */
function findPlain({ data, hooks, isFile }) {
  if (!isFile) return [];
  const files = [data, `${data}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file));
  return judgePlainText(hooks, files);
}
