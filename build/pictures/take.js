// Takes the pictures of the README: the program's pages and terminal, with the demo store on a fixed day.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../../test/support/chromium.js";
import { drawTerminal } from "./draw-terminal.js";
import { shrinkPng } from "./shrink-png.js";

const moment = "2026-06-17T14:20:00Z";
const program = fileURLToPath(new URL("../../bin/dispatch-cli.js", import.meta.url));
const target = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "dispatch-cli-pictures-"));
const data = join(scratch, "demo.db");
const env = {
  ...process.env,
  DISPATCH_CONFIG: join(scratch, "config"),
  DISPATCH_STILL_AT: moment,
  FORCE_COLOR: "1",
  NODE_OPTIONS: `--import=${new URL("still-clock.js", import.meta.url)}`,
};

const run = (...argv) =>
  execFileSync(process.execPath, [program, ...argv], {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
const { tenant_id: tenant, user } = JSON.parse(run("demo", "--data", data, "--jobs", "400", "-o", "json"));
const inStore = ["--data", data, "--tenant", String(tenant)];
const createToken = (username) =>
  JSON.parse(run("tokens", "create", "--username", username, ...inStore, "-o", "json")).token;
const ownToken = createToken(user);
const server = spawn(
  process.execPath,
  [
    program,
    "serve",
    "--data",
    data,
    "--port",
    "0",
    "--no-deliver",
    "--inspect",
    "--log-level",
    "error",
    "-o",
    "json",
  ],
  { env, stdio: ["ignore", "pipe", "inherit"] },
);
const [line] = await once(server.stdout, "data");
const { url } = JSON.parse(line);
const browser = await launchChromium();
mkdirSync(target, { recursive: true });
/** Sets the fixed time in answers, because a page follows its server's clock. */
const answersOfThatTime = `{
  const { get } = Headers.prototype;
  Headers.prototype.get = function (name) {
    return name === "date" ? new Date().toUTCString() : get.call(this, name);
  };
}`;

try {
  await take("board", { path: "/board?location=1", width: 1280, height: 860 });
  const phone = { path: "/board", width: 390, height: 780, colorScheme: "dark", isMobile: true };
  await take("driver", { ...phone, token: createToken("drew") }, waitForStop);
  await changeJob();
  await take("inspect", { path: "/inspect", width: 1280, height: 720 }, openChange);
  const words = ["day", "--location", "main yard"];
  // Shows the header, the jobs without a date, and four trucks.
  const blocks = run(...words, ...inStore)
    .split("\n\n")
    .slice(0, 6);
  const page = await browser.newPage();
  save(
    "day",
    await drawTerminal(page, `dispatch-cli day --location "main yard"`, `${blocks.join("\n\n")}\n …`),
  );
} finally {
  await browser.close();
  server.kill("SIGTERM");
  await once(server, "exit");
  rmSync(scratch, { recursive: true, force: true });
}

/** Takes a picture of a page of a signed-in user, once nothing on it moves. */
async function take(name, { height, path, token = ownToken, width, ...device }, showMore = waitForBoard) {
  const page = await browser.newPage({ hasTouch: device.isMobile, viewport: { height, width }, ...device });
  const kept = JSON.stringify(JSON.stringify({ tenantId: tenant, token }));
  await page.addInitScript({ content: `sessionStorage.setItem("dispatch-cli session", ${kept})` });
  await page.clock.setFixedTime(moment);
  await page.addInitScript({ content: answersOfThatTime });
  await page.goto(url + path);
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  await showMore(page);
  save(name, await page.screenshot({ animations: "disabled" }));
  await page.close();
}

async function waitForBoard(page) {
  await page.getByRole("status").filter({ hasText: "live" }).waitFor();
  await page.locator(".lane > .cards [data-job]").first().waitFor();
}

async function waitForStop(page) {
  await page.getByText("live", { exact: true }).waitFor();
  await page.locator(".stop.next").waitFor();
}

/** Writes a change for the inspector to show. */
async function changeJob() {
  const headers = {
    authorization: `Bearer ${ownToken}`,
    "content-type": "application/json",
    "x-tenant-id": String(tenant),
  };
  const { results } = await fetch(`${url}/locations/1/jobs?page_limit=1`, { headers }).then((answer) =>
    answer.json(),
  );
  const body = JSON.stringify({ dispatcher_notes: "Ring twice." });
  const answer = await fetch(`${url}/locations/1/jobs/${results[0].id}`, { body, headers, method: "PATCH" });
  if (!answer.ok) throw new Error(`The job was not changed: ${await answer.text()}`);
}

async function openChange(page) {
  await page.locator(".row").filter({ hasText: "PATCH" }).first().click();
  await page.getByRole("heading", { name: "Audit entries" }).waitFor();
  await page.locator(".links").first().waitFor();
}

function save(name, png) {
  writeFileSync(join(target, `${name}.png`), shrinkPng(png));
}
