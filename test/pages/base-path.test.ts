import { once } from "node:events";
import { createServer, request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../src/http/serve.ts";
import { cardOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";

const base = "/dispatch";

describeOverHttp("the pages below a base path", (harness) => {
  const browser = useBrowser();
  const serve = async () => {
    const log = { write: () => undefined };
    const options = { basePath: base, delivers: false, host: "127.0.0.1", log, port: 0 };
    const server = await startServer(harness.service, { ...options, logLevel: "silent" });
    onTestFinished(() => server.close(0));
    return server.url;
  };
  const ways = {
    "at the server": serve,
    "behind a proxy that serves other paths itself": async () => startProxy(await serve()),
  };

  it.each(Object.entries(ways))("work %s, and request nothing outside the base path", async (_, open) => {
    const address = await open();
    const { page, problems } = await openSignedIn(harness, browser, `${address}/board`);
    const paths: string[] = [];
    page.on("request", (asked) => paths.push(new URL(asked.url()).pathname));
    await page.reload();
    await page.getByRole("status").filter({ hasText: "live" }).waitFor();
    const job = await makeJob(harness, { schedule_date: "2026-11-21T00:00:00" });
    await cardOf(page, job).first().waitFor();
    await page.goto(`${address}/inspect`);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(paths.filter((path) => !path.startsWith(`${base}/`))).toEqual([]);
    expect(paths).toContain(`${base}/stream`);
    expect(problems).toEqual([]);
  });
});

/** Forwards requests below the base path. Returns the proxy's address. */
async function startProxy(to: string): Promise<string> {
  const { hostname, port } = new URL(to);
  const proxy = createServer((incoming, answer) => {
    const { headers, method, url: path = "" } = incoming;
    if (!path.startsWith(`${base}/`)) return answer.writeHead(418).end();
    const sent = request({ headers, hostname, method, path, port }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    sent.on("error", () => answer.destroy());
    answer.on("close", () => sent.destroy());
    return incoming.pipe(sent);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const at = proxy.address();
  if (typeof at !== "object" || at === null) throw new Error("The proxy has no address.");
  return `http://127.0.0.1:${at.port}${base}`;
}
