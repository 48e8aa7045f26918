import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startServer } from "../../src/http/serve.ts";
import { apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { createHook, createJob, createTruck, startTestWorker } from "../support/delivering.ts";
import { until } from "../support/eventually.ts";
import type { Harness } from "../support/harness.ts";
import {
  type Delivery,
  startReceiver,
  toSignature,
  toStandardSignature,
  unusedUrl,
} from "../support/receiver.ts";
import { describeInProcess, describeInProcessOnSqlite, freshHarness } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const secretFile = join(folder, "secret.txt");
writeFileSync(secretFile, secret);

/** Runs `hooks listen` on a harness's store as Acme's dispatcher. */
function listen(harness: Harness, words: string) {
  const as = harness.acme.callers.Dispatcher.user.username;
  const target = ["--data", harness.store.data, "--tenant", String(harness.acme.tenantId), "--as", as];
  const env = { DISPATCH_CONFIG: folder };
  return runCommand(["hooks", "listen", ...words.split(" "), ...target, "-o", "json"], { env });
}

const toTraceId = ({ traceparent }: Delivery["headers"]) => String(traceparent).split("-")[1];

/** Parses the events that it printed. */
const toLines = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

const toActions = (stdout: string) =>
  toLines(stdout).map(({ type, action, record_id }) => `${type} ${record_id} ${action}`);

/** Waits until the listener with that name has started. */
const untilListening = (name: string) =>
  until(() =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).includes(join("listeners", `${name}.json`)),
  );

let made = 0;
const newName = () => {
  made += 1;
  return `test-${made}`;
};

/** Returns the name of a new listener whose position is after all existing events. */
async function comeToEnd(harness: Harness): Promise<string> {
  const name = newName();
  expect((await listen(harness, `--name ${name} --for 1ms`)).code).toBe(0);
  return name;
}

describeInProcess("hooks listen", (like) => {
  // Both databases return the same records, so only SQLite needs all versions.
  it.each(like.database === sqlite ? apiVersions : [newestVersion])(
    "forwards exactly the bytes and signatures that a webhook would get, at %s",
    async (version) => {
      const harness = await freshHarness(like);
      const receiver = await startReceiver();
      await createHook(harness, receiver.url, { events: ["Job", "Truck"], secret, api_version: version });
      const name = await comeToEnd(harness);
      await createJob(harness);
      await createTruck(harness);
      await startTestWorker(harness).drain();
      const real = receiver.deliveries.splice(0);
      const to = `--forward-to ${receiver.url} --secret-file ${secretFile} --api-version ${version}`;
      const { code } = await listen(harness, `${to} --name ${name} --expect Job --expect Truck --for 10s`);
      expect(code).toBe(0);
      const sent = receiver.deliveries;
      const toBodies = (deliveries: typeof real) => deliveries.map(({ body }) => body).sort();
      expect(toBodies(sent)).toEqual(toBodies(real));
      for (const { body, headers } of sent) {
        const { id } = JSON.parse(body);
        const own = real.find((delivery) => delivery.body === body)?.headers ?? {};
        expect(Object.keys(headers).sort()).toEqual(Object.keys(own).sort());
        expect(toTraceId(headers)).toBe(toTraceId(own));
        expect(headers["x-api-version"]).toBe(version);
        expect(headers["x-service-signature"]).toBe(toSignature(secret, body));
        expect(headers["webhook-signature"]).toBe(
          toStandardSignature(secret, id, String(headers["webhook-timestamp"]), body),
        );
      }
    },
  );

  it("starts with the next event, and exits with 0 as soon as all expected events were accepted", async () => {
    const harness = await freshHarness(like);
    const receiver = await startReceiver();
    await createJob(harness);
    const name = newName();
    const listening = listen(
      harness,
      `--events Job,Truck --name ${name} --forward-to ${receiver.url} --expect Truck:created --for 20s`,
    );
    await untilListening(name);
    const jobId = await createJob(harness);
    const { truck_id: truckId } = await createTruck(harness);
    const { code, stdout } = await listening;
    expect(code).toBe(0);
    expect(toActions(stdout).sort()).toEqual([`Job ${jobId} created`, `Truck ${truckId} created`]);
    expect(toLines(stdout).find(({ type }) => type === "Job")).toMatchObject({
      attempts: 1,
      http_status: 200,
      message: "No exceptions raised.",
    });
    expect(receiver.deliveries).toHaveLength(2);
  });

  it("resumes after its last event: missed events arrive once, signed with the same secret", async () => {
    const harness = await freshHarness(like);
    const receiver = await startReceiver();
    const words = `--events Truck --name ${newName()} --forward-to ${receiver.url}`;
    const first = await listen(harness, `${words} --for 300ms`);
    const { truck_id: truckId } = await createTruck(harness);
    await createJob(harness);
    const second = await listen(harness, `${words} --expect Truck --for 10s`);
    expect(toActions(second.stdout)).toEqual([`Truck ${truckId} created`]);
    const third = await listen(harness, `${words} --for 600ms`);
    expect(third.stdout).toBe("");
    expect(receiver.deliveries).toHaveLength(1);
    const secretOf = ({ stderr }: { stderr: string }) => /secret (\S+)/.exec(stderr)?.[1] ?? "";
    expect(secretOf(second)).toBe(secretOf(first));
    const [sent] = receiver.deliveries;
    expect(sent?.headers["x-service-signature"]).toBe(toSignature(secretOf(first), sent?.body ?? ""));
  });

  it("resumes with all kept events when its last event is pruned", async () => {
    const harness = await freshHarness(like);
    const name = newName();
    await createTruck(harness);
    const words = `--events Truck --name ${name}`;
    await listen(harness, `${words} --for 200ms`);
    harness.store.execute("delete from events");
    await createTruck(harness);
    const { code, stderr } = await listen(harness, `${words} --expect Truck --for 10s`);
    expect([code, stderr]).toEqual([0, expect.stringContaining("no longer kept")]);
  });
});

describeInProcessOnSqlite("hooks listen, on any database,", (like) => {
  it("exits with 9 when an expected event is late, and with 0 when none was expected", async () => {
    const harness = await freshHarness(like);
    const missing = await listen(harness, "--expect Job:completed --expect Truck --for 200ms");
    expect(missing).toMatchObject({ code: 9, stdout: "" });
    expect(missing.stderr).toContain("Missing or not accepted: Job:completed, Truck.");
    expect((await listen(harness, "--for 200ms")).code).toBe(0);
  });

  it("retries an event that was not accepted, as the same delivery", async () => {
    const harness = await freshHarness(like);
    const receiver = await startReceiver((response, number) =>
      response.writeHead(number === 1 ? 500 : 204).end(),
    );
    const name = await comeToEnd(harness);
    await createTruck(harness);
    const { code, stdout } = await listen(
      harness,
      `--name ${name} --events Truck --forward-to ${receiver.url} --expect Truck --for 10s`,
    );
    expect([code, toLines(stdout)]).toEqual([
      0,
      [expect.objectContaining({ attempts: 2, http_status: 204 })],
    ]);
    const [first, second] = receiver.deliveries;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["x-service-delivery"]).toBe(first?.headers["x-service-delivery"]);
  });

  it("does not delay other records when one fails, and reports each attempt and the remaining events", async () => {
    const harness = await freshHarness(like);
    const { truck_id: failing } = await createTruck(harness);
    const receiver = await startReceiver((response, _, { body }) =>
      response.writeHead(JSON.parse(body).data.id === failing && isDown ? 500 : 204).end(),
    );
    let isDown = true;
    const name = await comeToEnd(harness);
    const rename = (truck_id: number, to: string) =>
      harness.ok("trucks.update", {
        body: { name: to },
        params: { location_id: harness.acme.locationId, truck_id },
      });
    await rename(failing, "One");
    await rename(failing, "Two");
    const { truck_id: other } = await createTruck(harness);
    const words = `--name ${name} --events Truck --forward-to ${receiver.url} --for 20s`;
    const held = await listen(harness, `${words} --expect Truck:created`);
    expect([held.code, toActions(held.stdout)]).toEqual([0, [`Truck ${other} created`]]);
    expect(held.stderr).toContain(`Truck ${failing} updated: attempt 1 failed: `);
    expect(held.stderr).toContain("2 events were not forwarded. 2 will come with the same --name.");
    isDown = false;
    receiver.deliveries.length = 0;
    await listen(harness, `${words} --expect Truck:updated --expect Truck:updated`);
    const came = receiver.deliveries
      .map(({ body }) => JSON.parse(body).data)
      .filter(({ id }) => id === failing);
    expect(came.map((truck) => truck.name)).toEqual(["One", "Two"]);
  });

  it("keeps an unaccepted event for the next start", async () => {
    const harness = await freshHarness(like);
    const name = await comeToEnd(harness);
    await createTruck(harness);
    const words = `--events Truck --name ${name}`;
    const down = await listen(harness, `${words} --forward-to ${await unusedUrl()} --for 700ms`);
    expect([down.code, down.stdout]).toEqual([0, ""]);
    // The first failed attempt is reported.
    expect(down.stderr).toContain("attempt 1 failed: Connection refused");
    const receiver = await startReceiver();
    const up = await listen(harness, `${words} --forward-to ${receiver.url} --expect Truck --for 10s`);
    expect([up.code, receiver.deliveries.length]).toEqual([0, 1]);
  });

  it("causes faults on request: repeated, reordered and late events", async () => {
    const harness = await freshHarness(like);
    const receiver = await startReceiver();
    const names = [await comeToEnd(harness), await comeToEnd(harness), await comeToEnd(harness)];
    const { truck_id: first } = await createTruck(harness);
    const { truck_id: second } = await createTruck(harness);
    const words = `--events Truck --expect Truck --expect Truck --forward-to ${receiver.url}`;
    const ids = () => receiver.deliveries.splice(0).map(({ body }) => JSON.parse(body).data.id);
    const twice = await listen(
      harness,
      `${words} --for 20s --name ${names[0]} --inject duplicate=100%,slow=50ms`,
    );
    expect([twice.code, ids().sort()]).toEqual([0, [first, first, second, second]]);
    const reordered = await listen(harness, `${words} --for 20s --name ${names[1]} --inject reorder`);
    expect([reordered.code, ids()]).toEqual([0, [second, first]]);
    const failing = await listen(harness, `${words} --for 300ms --name ${names[2]} --inject fail=100%`);
    expect([failing.code, ids()]).toEqual([9, []]);
  });

  /** Serves a harness's store, by default on any port. */
  const serve = (harness: Harness, port = 0) =>
    startServer(harness.service, {
      host: "127.0.0.1",
      port,
      delivers: false,
      logLevel: "silent",
      log: { write: () => undefined },
    });

  const listenAt = (harness: Harness, url: string, words: string) => {
    const env = { DISPATCH_CONFIG: folder, DISPATCH_TOKEN: harness.acme.callers.Dispatcher.token };
    return runCommand(["hooks", "listen", "--url", url, ...words.split(" ")], { env });
  };

  it("listens to a server, and exits with 8 when the server does not return", async () => {
    const harness = await freshHarness(like);
    const server = await serve(harness);
    const receiver = await startReceiver();
    const name = newName();
    const words = `--events Truck --name ${name} --forward-to ${receiver.url} --for 30s --retry-for 300ms`;
    const listening = listenAt(harness, server.url, words);
    await untilListening(name);
    await createTruck(harness);
    await until(() => receiver.deliveries.length === 1);
    await server.close();
    const { code, stderr } = await listening;
    expect([code, stderr]).toEqual([8, expect.stringContaining("cannot be reached")]);
    expect(stderr).toContain("The target is unreachable");
  });

  it("resumes without loss when a closed or busy server returns", async () => {
    const harness = await freshHarness(like);
    const receiver = await startReceiver();
    const behind = await serve(harness);
    let status: number | null = null;
    let turnedAway = 0;
    const front = createServer(async (request, response) => {
      if (status !== null) turnedAway += 1;
      if (status !== null) return void response.writeHead(status).end();
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([header]) => !["connection", "host"].includes(header)),
      ) as Record<string, string>;
      const answer = await fetch(behind.url + request.url, { headers });
      const type = answer.headers.get("content-type") ?? "";
      response.writeHead(answer.status, { "content-type": type }).end(await answer.text());
    });
    await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
    const { port } = front.address() as AddressInfo;
    const name = newName();
    const expected = "--expect Truck --expect Truck --expect Truck --expect Truck";
    const words = `--events Truck --name ${name} --forward-to ${receiver.url} ${expected} --for 30s`;
    const listening = listenAt(harness, `http://127.0.0.1:${port}`, words);
    await untilListening(name);
    for (const [index, failing] of [503, 429, null].entries()) {
      await createTruck(harness);
      await until(() => receiver.deliveries.length === index + 1);
      status = failing;
      if (failing === null) front.closeAllConnections();
      else await until(() => turnedAway > index);
      status = null;
    }
    await createTruck(harness);
    const { code, stderr } = await listening;
    front.close();
    await behind.close();
    expect([code, receiver.deliveries.length]).toEqual([0, 4]);
    expect(stderr.match(/The target is unreachable/g)?.length).toBeGreaterThanOrEqual(2);
    expect(stderr.match(/The target is back/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it("ends in time while the server is down, and reports the missing events", async () => {
    const harness = await freshHarness(like);
    const server = await serve(harness);
    const name = newName();
    const listening = listenAt(harness, server.url, `--name ${name} --expect Job:completed --for 2s`);
    await untilListening(name);
    await server.close();
    const { code, stderr } = await listening;
    expect([code, stderr]).toEqual([9, expect.stringContaining("Missing or not accepted")]);
  });

  it("hands its name over to the next listener with that name; together they accept every event", async () => {
    const harness = await freshHarness(like);
    const receiver = await startReceiver();
    const name = newName();
    const words = `--events Truck --name ${name} --forward-to ${receiver.url} --for 20s`;
    const first = listen(harness, words);
    await untilListening(name);
    const position = () => JSON.parse(readFileSync(join(folder, "listeners", `${name}.json`), "utf8")).after;
    const beginning = position();
    const { truck_id: before } = await createTruck(harness);
    // Wait for this position: otherwise the second listener receives the first truck again and ends too early.
    await until(() => position() !== beginning);
    const second = listen(harness, `${words} --expect Truck`);
    const ended = await first;
    expect([ended.code, ended.stderr]).toEqual([6, expect.stringContaining(`--name ${name}`)]);
    const { truck_id: after } = await createTruck(harness);
    expect((await second).code).toBe(0);
    const told = receiver.deliveries.map(({ body }) => JSON.parse(body).data.id);
    expect([...new Set(told)]).toEqual([before, after]);
  });
});

describe("hooks listen on a store's file", () => {
  const makeStore = async () => {
    const data = join(folder, `${newName()}.db`);
    await runCommand(["init", "--data", data, "--tenant", "Acme", "--location", "Main yard"]);
    return data;
  };
  const env = { DISPATCH_CONFIG: folder };

  it("exits with 8 when the file is removed", async () => {
    const data = await makeStore();
    const name = newName();
    const listening = runCommand(["hooks", "listen", "--data", data, "--name", name, "--for", "30s"], {
      env,
    });
    await untilListening(name);
    rmSync(data);
    const { code, stderr } = await listening;
    expect([code, stderr]).toEqual([8, expect.stringContaining("is gone")]);
  });

  it("refuses the name of a listener on another store, and hides names from other users", async () => {
    const name = newName();
    const start = async (data: string) =>
      runCommand(["hooks", "listen", "--data", data, "--name", name, "--for", "100ms"], { env });
    const file = join(folder, "listeners", `${name}.json`);
    const victim = join(folder, "victim");
    writeFileSync(victim, "mine");
    mkdirSync(join(folder, "listeners"), { recursive: true });
    symlinkSync(victim, `${file}.new`);
    expect((await start(await makeStore())).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect([lstatSync(file).isSymbolicLink(), readFileSync(victim, "utf8")]).toEqual([false, "mine"]);
    const other = await start(await makeStore());
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("This --name belongs to")]);
    writeFileSync(file, "{}");
    expect((await start(await makeStore())).stderr).toContain("does not hold a cursor");
    expect(readFileSync(file, "utf8")).toBe("{}");
  });

  it("shows an event as one line, and with --verbose also its headers and body", async () => {
    const data = await makeStore();
    await runCommand(["trucks", "create", "--location", "1", "--name", "T", "--data", data]);
    const receiver = await startReceiver();
    const words = ["hooks", "listen", "--data", data, "--from-start", "--expect", "Truck", "--for", "10s"];
    const { stdout } = await runCommand(words, { env });
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d {2}Truck 1 created\n$/);
    const verbose = await runCommand([...words, "-v", "--forward-to", receiver.url], { env });
    expect(verbose.stdout).toContain("  x-service-event: Truck\n");
    expect(verbose.stdout).toContain(`  ${receiver.deliveries[0]?.body}\n`);
  });

  it.each([
    ["--events Jobs", "--events must be some of"],
    ["--events Job --expect Truck:created", "listened events (Job)"],
    ["--expect completed", "--expect must be one of"],
    ["--for ever", "--for must be a duration"],
    ["--retry-for long", "--retry-for must be a duration"],
    ["--forward-to localhost:3000", "--forward-to must start with http"],
    ["--inject reorder", "need a receiver: name one with --forward-to"],
    ["--forward-to http://127.0.0.1:9/ --inject fail=200%", "0% to 100%"],
    ["--forward-to http://127.0.0.1:9/ --inject chaos", "--inject takes slow=2s"],
    ["--name ../x", "--name must be"],
  ])("refuses %s with a sentence and exit code 2", async (words, told) => {
    const { code, stderr } = await runCommand(["hooks", "listen", ...words.split(" ")], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
  });
});
