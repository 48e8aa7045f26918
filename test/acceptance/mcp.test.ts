import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Operation } from "../../src/core/operation.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { runCommand } from "../support/command-line.ts";
import { programPath, startProgram, toEnv, toExit } from "../support/program.ts";
import { seedStore } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
const env = { DISPATCH_DATA: data };
const run = (words: readonly string[], input = "") => runCommand(words, { env, input });

const all = ["--toolsets", "all"];

let served: Awaited<ReturnType<typeof serveStore>>;
let readers: Client;
let writers: Client;
let drivers: Client;

beforeAll(async () => {
  await seedStore(run);
  const { stdout } = await run(["tokens", "create", "--username", "owner", "-o", "json"]);
  served = await serveStore(data, JSON.parse(stdout).token);
  await run(["users", "create", "--location", "1", "--username", "drew", "--roles", "Driver"]);
  const asDriver = await run(["tokens", "create", "--username", "drew", "-o", "json"]);
  [readers, writers, drivers] = await Promise.all([
    connect(all, served.env),
    connect([...all, "--allow-writes"], env),
    connect([...all, "--allow-writes"], { ...served.env, DISPATCH_TOKEN: JSON.parse(asDriver.stdout).token }),
  ]);
});

afterAll(async () => {
  await Promise.all([readers?.close(), writers?.close(), drivers?.close()]);
  await served?.end();
});

async function connect(options: readonly string[], others: Record<string, string>): Promise<Client> {
  const client = new Client({ name: "a test", version: "1" });
  const args = [programPath, "mcp", ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: toEnv(others) }));
  return client;
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [part] = content;
  return {
    isError,
    value: JSON.parse(part?.type === "text" ? part.text : "null") as Record<string, unknown>,
  };
}

it("offers tools that read, and with --allow-writes tools that write, each with its input schema", async () => {
  const { tools: reading } = await readers.listTools();
  const { tools: writing } = await writers.listTools();
  expect(reading.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  const names = writing.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([...reading.map(({ name }) => name), "trucks_create", "hooks_delete"]),
  );
  expect(names.filter((name) => !/^\w{1,64}$/.test(name))).toEqual([]);
  expect(reading.map(({ name }) => name)).not.toContain("trucks_create");
  expect(writing.find(({ name }) => name === "trucks_create")?.inputSchema).toMatchObject({
    required: ["location_id", "body"],
    properties: { dry_run: { default: true }, location_id: { type: "integer" } },
  });
});

it("offers a dispatcher's day in 20 tools, or the tools that the options choose", async () => {
  const toNames = async (words: readonly string[]) => {
    const client = await connect(words, env);
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name);
  };
  const usual = await toNames(["--allow-writes"]);
  expect(usual).toHaveLength(20);
  expect(usual).toEqual(expect.arrayContaining(["day", "plan_day", "search_find", "audit_undo"]));
  const chosen = await toNames(["--allow-writes", "--tools", "jobs_list,jobs_add_item"]);
  expect(chosen).toEqual(["jobs_list", "jobs_add_item"]);
  expect(
    (await toNames(["--toolsets", "webhooks"])).every((name) => /^(hooks|deliveries|events)_/.test(name)),
  ).toBe(true);
});

it("names the required properties of each tool, and of its body, first", async () => {
  const { tools } = await writers.listTools();
  const isOrdered = (schema: object) => {
    const { properties = {}, required = [] }: { properties?: object; required?: string[] } = schema;
    const first = Object.keys(properties).slice(0, required.length);
    return first.every((name) => required.includes(name));
  };
  const bodies = tools.map(({ inputSchema }) => Object(inputSchema.properties).body ?? {});
  const wrong = tools.filter(
    ({ inputSchema }, index) => !isOrdered(inputSchema) || !isOrdered(bodies[index]),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

it("cuts an answer that would fill the window, also of a write that is stored", async () => {
  const body = (index: number) => ({ name: `Batched ${index}`, notes: "A long note. ".repeat(150) });
  const toOperation = (index: number) => ({ method: "POST", path: "/locations/1/trucks", body: body(index) });
  const operations = Array.from({ length: 40 }, (_, index) => toOperation(index));
  const { isError, value } = await call(writers, "batch_run", { body: { operations }, dry_run: false });
  expect([isError, value.dry_run]).toEqual([false, false]);
  expect(JSON.stringify(value).length).toBeLessThan(32_000);
  expect(JSON.stringify(value)).toContain("more left out");
});

it("describes the answers of lists and writes, which the client checks against their schemas", async () => {
  const { tools } = await writers.listTools();
  const isDescribed = ({ annotations, inputSchema }: (typeof tools)[number]) =>
    !annotations?.readOnlyHint || "cursor" in (inputSchema.properties ?? {});
  expect(tools.filter((tool) => isDescribed(tool) && !tool.outputSchema)).toEqual([]);
  expect(tools.find(({ name }) => name === "jobs_list")?.outputSchema).toMatchObject({
    properties: { next_cursor: { type: "integer" } },
    required: ["results"],
  });
});

it("hints at each tool's effect: what it can remove, what may repeat, and what leaves the service", async () => {
  const { tools } = await writers.listTools();
  const namesWith = (hint: "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint") =>
    tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
  const operations = await loadOperations();
  const toNames = (effect: Operation["effect"]) =>
    operations.filter((one) => one.effect === effect).map(({ name }) => name.replaceAll(/[.-]/g, "_"));
  const reading = new Set([...toNames("read"), "day"]);
  expect(namesWith("readOnlyHint").filter((name) => !reading.has(name))).toEqual([]);
  expect(tools.filter(({ name }) => reading.has(name)).map(({ name }) => name)).toEqual(
    namesWith("readOnlyHint"),
  );
  const removing = namesWith("destructiveHint");
  const offered = new Set(tools.map(({ name }) => name));
  expect(removing).toEqual(expect.arrayContaining(toNames("delete").filter((name) => offered.has(name))));
  expect(removing).toMatchInlineSnapshot(`
    [
      "customers_erase",
      "addresses_remove",
      "contacts_erase",
      "customer_locations_remove",
      "jobs_update",
      "users_erase",
      "asset_types_update",
      "hooks_delete",
      "hooks_rotate_secret",
      "tokens_revoke",
      "tokens_rotate",
      "audit_undo",
      "retention_apply",
      "batch_run",
      "sandbox_reset",
    ]
  `);
  expect(namesWith("idempotentHint")).toMatchInlineSnapshot(`
    [
      "plan_day",
      "customers_update",
      "customers_erase",
      "addresses_update",
      "addresses_remove",
      "contacts_update",
      "contacts_erase",
      "customer_locations_update",
      "customer_locations_remove",
      "jobs_update",
      "jobs_dispatch",
      "jobs_move",
      "trucks_update",
      "trucks_order_jobs",
      "drivers_update",
      "users_update",
      "users_erase",
      "locations_update",
      "dump_destinations_update",
      "asset_types_update",
      "assets_update",
      "hooks_update",
      "hooks_delete",
      "tokens_revoke",
      "retention_update",
      "chats_edit",
    ]
  `);
  expect(namesWith("openWorldHint")).toMatchInlineSnapshot(`
    [
      "hooks_ping",
      "hooks_trigger",
    ]
  `);
});

it("lists a dispatcher's day in at most 6,000 tokens of four characters", async () => {
  const client = await connect(["--allow-writes"], env);
  const { tools } = await client.listTools();
  await client.close();
  expect(JSON.stringify(tools).length / 4).toBeLessThan(6000);
  const update = tools.find(({ name }) => name === "jobs_update")?.inputSchema;
  // Null clears a field, so an update accepts it.
  expect(update).toMatchObject({
    properties: { body: { properties: { truck_id: { type: ["integer", "null"] } } } },
  });
});

it.each([
  ["--tools", "jobs_lst", 'There is no tool "jobs_lst". Did you mean jobs_list?'],
  ["--toolsets", "dispatsch", 'There is no toolset "dispatsch". Did you mean dispatch?'],
])("refuses an unknown name in %s and suggests the nearest", async (option, name, detail) => {
  const { code, stderr } = await run(["mcp", option, name]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(detail)]);
});

it("leaves out no record where a page is too long for one answer", async () => {
  const notes = "A long note. ".repeat(150);
  const body = (index: number) => ({ name: `Long ${index}`, notes });
  for (let index = 0; index < 25; index += 1)
    await call(writers, "trucks_create", { location_id: 1, body: body(index), dry_run: false });
  const seen: unknown[] = [];
  const sizes: number[] = [];
  let cursor: unknown = 0;
  while (cursor !== undefined) {
    const { value } = await call(writers, "trucks_list", { location_id: 1, cursor });
    sizes.push(JSON.stringify(value).length);
    seen.push(...(value.results as { id: number }[]).map(({ id }) => id));
    cursor = value.next_cursor;
  }
  const { value } = await call(writers, "trucks_list", { location_id: 1, page_limit: 1000, fields: "id" });
  expect(seen).toEqual((value.results as { id: number }[]).map(({ id }) => id));
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThan(33_000);
});

it("shows a job in local time, with its address and the phone number to call", async () => {
  const rows = (await call(readers, "jobs_list")).value.results as Record<string, unknown>[];
  expect(rows[0]).toEqual({
    ...{ id: 1, location_id: 1, customer_id: 1, address_id: 1, truck_id: 1 },
    ...{ state: "dispatched", type: "Drop-off", truck: "Truck 7" },
    customer: "Łukasz Bączek 株式会社",
    address: "1 Main St, Łódź",
    when: expect.stringMatching(/^[A-Z][a-z]{2} [A-Z][a-z]{2} \d/),
  });
});

it("shows the day by truck, and refuses a date that does not exist", async () => {
  const [job] = (await call(readers, "jobs_list", { full: true })).value.results as {
    schedule_date: string;
  }[];
  const date = job?.schedule_date.slice(0, 10);
  const truck = { name: "Truck 7", jobs: [expect.objectContaining({ id: 1, state: "dispatched" })] };
  const trucks = expect.arrayContaining([expect.objectContaining(truck)]);
  expect((await call(readers, "day", { date })).value).toMatchObject({
    date,
    locations: [{ id: 1, trucks }],
  });
  for (const given of [{ date: "2026-02-30" }, { location_id: "1" }, { truck: 1 }])
    expect(await call(readers, "day", given)).toMatchObject({ isError: true, value: { status: 400 } });
});

it("marks a truck out of service, and counts the jobs without a date", async () => {
  const truck = { location_id: 1, truck_id: 1, dry_run: false };
  await call(writers, "trucks_update", { ...truck, body: { out_of_service: true } });
  const off = expect.objectContaining({ name: "Truck 7", off: "out of service" });
  const locations = [
    {
      time_zone: "UTC",
      midnight: expect.stringMatching(/T00:00:00Z$/),
      trucks: expect.arrayContaining([off]),
    },
  ];
  expect((await call(readers, "day")).value).toMatchObject({ locations, without_date: 1 });
  await call(writers, "trucks_update", { ...truck, body: { out_of_service: false } });
});

async function make(name: string, body: object) {
  const made = await call(writers, name, { location_id: 1, body, dry_run: false });
  expect(made).toMatchObject({ isError: false });
  return (made.value.answer as { id: number }).id;
}

it("plans a day: tries it dry, gives jobs of the same time to different trucks with drivers, and undoes all at once", async () => {
  const trucks = [];
  for (const name of ["planned-1", "planned-2"]) {
    const driver_id = await make("drivers_create", { name, username: name });
    trucks.push(await make("trucks_create", { driver_id, name }));
  }
  const jobs: number[] = [];
  for (const reference_number of ["P-1", "P-2"]) {
    const day = { desired_start_time: "2031-05-01T09:00:00Z", schedule_date: "2031-05-01" };
    const job = { address_id: 1, reference_number, requested_by: 1, type: "D", ...day };
    jobs.push(await make("jobs_create", job));
  }
  const plan = (others: object = {}) => call(writers, "plan_day", { date: "2031-05-01", ...others });
  const seen = async () => {
    const { value } = await call(writers, "day", { date: "2031-05-01" });
    const [{ trucks: all, without_truck }] = value.locations as [
      { trucks: { id: number; jobs: { id: number }[] }[]; without_truck: { id: number }[] },
    ];
    const onTruck = all.flatMap((one) => one.jobs.map(({ id }) => [one.id, id]));
    return { onTruck, waiting: without_truck.map(({ id }) => id) };
  };
  const proposed = (await plan()).value;
  expect(proposed).toMatchObject({
    dry_run: true,
    locations: [{ trucks: trucks.map((id, index) => ({ id, jobs: [{ id: jobs[index], is_added: true }] })) }],
  });
  expect(await seen()).toEqual({ onTruck: [], waiting: jobs });
  expect((await plan({ dry_run: false })).isError).toBe(false);
  expect(await seen()).toEqual({ onTruck: trucks.map((id, index) => [id, jobs[index]]), waiting: [] });
  const { id: audit_id } = (await call(writers, "audit_last")).value;
  await call(writers, "audit_undo", { audit_id, dry_run: false });
  expect(await seen()).toEqual({ onTruck: [], waiting: jobs });
  expect((await plan({ truck_ids: [trucks[1]] })).value).toMatchObject({
    locations: [{ trucks: [{ id: trucks[1], jobs: [{}, {}] }] }],
  });
  expect((await plan({ truck_ids: [1] })).value).toMatchObject({
    locations: [{ no_free_truck: jobs.map((id) => ({ id })), trucks: [] }],
  });
  for (const wrong of [{ truck_ids: [9999] }, { truck_ids: 1 }, { dry_run: "no" }, { trucks: 1 }])
    expect(await plan(wrong)).toMatchObject({ isError: true, value: { status: 400 } });
});

it("stores the plan of a dry run only if it is still the same, and plans many jobs in several calls", async () => {
  const job = { address_id: 1, requested_by: 1, type: "D", schedule_date: "2031-06-01" };
  const create = { method: "POST", path: "/locations/1/jobs", body: job };
  const createJobs = async (count: number) => {
    const body = { operations: Array.from({ length: count }, () => create) };
    expect(await call(writers, "batch_run", { body, dry_run: false })).toMatchObject({ isError: false });
  };
  const truck = await make("trucks_create", {
    name: "planned-3",
    driver_id: await make("drivers_create", { name: "planned-3", username: "planned-3" }),
  });
  const plan = (others: object = {}) =>
    call(writers, "plan_day", { date: "2031-06-01", truck_ids: [truck], ...others });
  const done = await make("jobs_create", job);
  const completed = { location_id: 1, job_id: done, body: { is_completed: true }, dry_run: false };
  expect(await call(writers, "jobs_update", completed)).toMatchObject({ isError: false });
  await createJobs(2);
  const { etag } = (await plan()).value;
  await createJobs(100);
  expect(await plan({ dry_run: false, if_match: etag })).toMatchObject({
    isError: true,
    value: { code: "precondition_failed" },
  });
  const first = (await plan()).value;
  expect(first).toMatchObject({ locations: [{ without_plan: 2 }] });
  const stored = await plan({ dry_run: false, if_match: first.etag });
  expect(stored.value).toEqual({ ...first, dry_run: false });
  expect(JSON.stringify(stored.value)).not.toContain("unassigned");
  await plan({ dry_run: false });
  expect((await call(writers, "day", { date: "2031-06-01" })).value).toMatchObject({
    locations: [{ without_truck: [{ id: done }] }],
  });
});

it("shortens the lists of a day that no answer has room for, and says how much is left out", async () => {
  const job = { address_id: 1, requested_by: 1, type: "D", schedule_date: "2031-07-01" };
  const create = { body: job, method: "POST", path: "/locations/1/jobs" };
  for (const count of [98, 99, 100]) {
    const body = { operations: Array.from({ length: count }, () => create) };
    expect(await call(writers, "batch_run", { body, dry_run: false })).toMatchObject({ isError: false });
  }
  const { isError, value } = await call(writers, "day", { date: "2031-07-01" });
  expect([isError, JSON.stringify(value)]).toEqual([false, expect.stringContaining("197 more left out")]);
});

it("masks secrets, unless --show-secrets", async () => {
  const body = { url: "http://127.0.0.1:9/hooks", events: ["Job:created"] };
  const made = await call(writers, "hooks_create", { body, dry_run: false });
  expect(made).toMatchObject({ isError: false, value: { answer: { secret: "***" } } });
  const shown = await connect([...all, "--show-secrets"], env);
  expect((await call(writers, "hooks_list")).value.results).toContainEqual(
    expect.objectContaining({ events: ["Job"] }),
  );
  const secretOf = async (client: Client) =>
    ((await call(client, "hooks_list")).value.results as { secret: string }[])[0]?.secret;
  expect(await secretOf(writers)).toBe("***");
  const operations = [
    { method: "POST", path: "/hooks", body },
    { method: "POST", path: "/tokens", body: { username: "owner" } },
  ];
  const inBatch = await call(writers, "batch_run", { body: { operations }, dry_run: false });
  expect(inBatch.value.answer).toMatchObject({
    results: [{ body: { secret: "***" } }, { body: { token: "***" } }],
  });
  expect(await secretOf(shown)).toMatch(/^[A-Za-z0-9+/]{20,}=*$/);
  await shown.close();
});

it("answers lists as short rows, and whole records or chosen fields on request", async () => {
  const rowsOf = async (given: Record<string, unknown>) => {
    const { value } = await call(readers, "locations_list", given);
    return (value.results as Record<string, unknown>[])[0];
  };
  expect(await rowsOf({ fields: "id" })).toEqual({ id: 1 });
  const [short, full] = [await rowsOf({}), await rowsOf({ full: true })];
  expect(Object.keys(short ?? {}).length).toBeLessThan(Object.keys(full ?? {}).length);
});

it("leaves out empty fields of a record, adds a job's time on the local clock, and keeps all on request", async () => {
  const job = { location_id: 1, job_id: 1 };
  const [short, full] = [
    await call(readers, "jobs_get", job),
    await call(readers, "jobs_get", { ...job, full: true }),
  ];
  expect(short.value).toMatchObject({
    state: "dispatched",
    truck: "Truck 7",
    when: expect.stringContaining("Dec 1"),
  });
  expect(Object.values(short.value)).not.toContain(null);
  expect(full.value).toMatchObject({ is_completed: false, pickup_date: null });
  expect((await call(readers, "retention_show")).value.results).toContainEqual(expect.any(Object));
  const { value } = await call(readers, "jobs_timeline", job);
  expect(value.results).toContainEqual(
    expect.objectContaining({ after: expect.objectContaining({ truck_id: 1 }) }),
  );
});

it("accepts fields of a record, of a nested record, and of a row, and refuses others", async () => {
  const { value } = await call(readers, "jobs_list", { fields: "id, state,customer.name", page_limit: 1 });
  const [row] = value.results as Record<string, unknown>[];
  expect(row).toEqual({ id: 1, state: "dispatched", customer: { name: "Łukasz Bączek 株式会社" } });
  const one = { location_id: 1, job_id: 1, fields: "id,customer.name" };
  const whole = (await call(readers, "jobs_get", { location_id: 1, job_id: 1 })).value;
  expect((await call(readers, "jobs_get", one)).value).toEqual({
    customer: { name: "Łukasz Bączek 株式会社" },
    etag: expect.stringContaining((whole.etag as string).slice(0, -1)),
    id: 1,
  });
  expect(await call(readers, "jobs_get", { ...one, fields: "idd" })).toMatchObject({ isError: true });
  expect(await call(readers, "jobs_list", { fields: "id,schedule_dat" })).toMatchObject({
    isError: true,
    value: {
      detail: 'The records have no field "schedule_dat". Did you mean schedule_date?',
      field: "fields",
    },
  });
});

it("offers the operations that the roles of the caller allow", async () => {
  const names = (await drivers.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["jobs_list", "gps_record"]));
  expect(names.filter((name) => ["trucks_create", "tokens_list", "hooks_list"].includes(name))).toEqual([]);
  await expect(call(drivers, "trucks_create", { location_id: 1, body: { name: "No" } })).rejects.toThrow(
    /needs one of the roles Admin.*; the caller has Driver/,
  );
});

it("uses the user of the token on a server; an error is a result with its code and a fix", async () => {
  expect((await call(readers, "locations_list")).value).toMatchObject({ results: [{ id: 1 }] });
  const missing = await call(readers, "trucks_get", { location_id: 1, truck_id: 999 });
  expect(missing).toMatchObject({
    isError: true,
    value: { code: "record_not_found", fix: expect.any(String) },
  });
  await expect(call(readers, "trucks_create", { location_id: 1, body: { name: "No" } })).rejects.toThrow(
    "offers only tools that read; its option --allow-writes adds the others",
  );
  await expect(call(readers, "trucks_lst")).rejects.toThrow("Did you mean trucks_list?");
  await expect(call(readers, "undo")).rejects.toThrow("Did you mean audit_undo?");
});

it("names the cursor in its refusal of one beyond the end of every list", async () => {
  expect(await call(readers, "jobs_list", { cursor: 200_000 })).toMatchObject({
    isError: true,
    value: { code: "too_big", field: "cursor" },
  });
});

it("names the tool that helps after an error, if the server offers it", async () => {
  const body = { address_id: 99, requested_by: 1, type: "D" };
  const { value } = await call(writers, "jobs_create", { location_id: 1, body });
  const see = { tool: "addresses_list", arguments: { customer_id: 1 } };
  expect(value).toMatchObject({ code: "unknown_reference", errors: [{ see }], see });
  expect(JSON.stringify(value)).not.toMatch(/command/);
  expect(await call(writers, see.tool, see.arguments)).toMatchObject({ isError: false });
  const usual = await connect(["--allow-writes"], env);
  expect((await call(usual, "jobs_create", { location_id: 1, body })).value.see).toBeNull();
  await usual.close();
});

it("returns an error as text alone, because it does not match the tool's output schema, and cuts a long one", async () => {
  const given = { ["x".repeat(100_000)]: 1 };
  const { content, isError, structuredContent } = await writers.callTool({
    name: "jobs_list",
    arguments: given,
  });
  expect([isError, structuredContent]).toEqual([true, undefined]);
  expect(JSON.stringify(content)).toContain("unknown_parameter");
  expect(JSON.stringify(content).length).toBeLessThan(32_000);
});

it("names no command of the terminal in an error, and no name of a tenant in its instructions", async () => {
  const { isError, value } = await call(writers, "trucks_create", { location_id: 99, body: { name: "No" } });
  expect(isError).toBe(true);
  expect(JSON.stringify(value)).not.toContain("dispatch-cli ");
  expect(writers.getInstructions()).toContain("tenant 1)");
});

it("makes a dry run first, and writes only when the caller confirms", async () => {
  const given = { location_id: 1, body: { name: "By a model" } };
  const tried = await call(writers, "trucks_create", given);
  expect(tried).toMatchObject({ isError: false, value: { dry_run: true, answer: { name: "By a model" } } });
  const all = { location_id: 1, fields: "name", page_limit: 1000 };
  const names = async () => JSON.stringify((await call(writers, "trucks_list", all)).value);
  expect(await names()).not.toContain("By a model");
  expect(await call(writers, "trucks_create", { ...given, dry_run: "false" })).toMatchObject({
    isError: true,
    value: { code: "wrong_type", field: "dry_run" },
  });
  expect((await call(writers, "trucks_create", { ...given, dry_run: false })).value).toMatchObject({
    dry_run: false,
  });
  expect(await names()).toContain("By a model");
});

it("stores the same call once, says so, and stores it again with another key", async () => {
  const create = (others: object = {}) =>
    call(writers, "trucks_create", {
      location_id: 1,
      body: { name: "Twice", notes: "n" },
      dry_run: false,
      ...others,
    });
  const idOf = ({ value }: Awaited<ReturnType<typeof call>>) => (value.answer as { id: number }).id;
  const first = await create();
  expect(first.value).not.toHaveProperty("note");
  const again = await create({ body: { notes: "n", name: "Twice" } });
  expect([idOf(again), again.value.note]).toEqual([
    idOf(first),
    expect.stringMatching(/within the last 10 minutes.*new idempotency_key/),
  ]);
  const anew = await create({ idempotency_key: "another" });
  expect(idOf(anew)).not.toBe(idOf(first));
  const repeated = await create({ idempotency_key: "another" });
  expect([idOf(repeated), repeated.value.note]).toEqual([idOf(anew), expect.stringContaining("ran before")]);
  expect(await create({ idempotency_key: "two words" })).toMatchObject({ isError: true });
});

it("runs a repeated update again, because the record may have changed in between", async () => {
  const rename = (name: string) =>
    call(writers, "trucks_update", { location_id: 1, truck_id: 1, body: { name }, dry_run: false });
  const { name } = (await call(writers, "trucks_get", { location_id: 1, truck_id: 1 })).value;
  for (const to of ["First", "Second", "First"]) expect((await rename(to)).value).not.toHaveProperty("note");
  expect((await call(writers, "trucks_get", { location_id: 1, truck_id: 1 })).value.name).toBe("First");
  await rename(name as string);
});

it("changes a record only while it has the etag that the call names, if the call names one", async () => {
  const truck = { location_id: 1, truck_id: 1 };
  const { etag, name } = (await call(writers, "trucks_get", truck)).value;
  expect(etag).toMatch(/^"/);
  const rename = (to: string) =>
    call(writers, "trucks_update", { ...truck, body: { name: to }, if_match: etag, dry_run: false });
  const changed = await rename("Renamed");
  expect(changed).toMatchObject({ isError: false, value: { etag: expect.any(String) } });
  expect(await rename("Too late")).toMatchObject({ isError: true, value: { code: "precondition_failed" } });
  await call(writers, "trucks_update", { ...truck, body: { name }, dry_run: false });
});

it.each([
  ["trucks_get", { location_id: "1/../..", truck_id: 1 }],
  ["trucks_get", { location_id: 1 }],
  ["trucks_list", { location_id: 1, page_limit: { $gt: 0 } }],
  ["trucks_list", { location_id: 1, no_such_filter: "x" }],
  ["trucks_list", { location_id: 1, cursor: -1 }],
  ["trucks_list", { location_id: 1, page_index: 2 }],
  ["trucks_list", { location_id: 1, __proto__x: "x", constructor: "x" }],
  ["jobs_list", { page_limit: "1'; drop table jobs; --" }],
])("refuses invalid input for %s %j, and continues", async (name, given) => {
  for (const client of [readers, writers]) {
    const { isError, value } = await call(client, name, given);
    expect([isError, value.status]).toEqual([true, 400]);
    expect(await call(client, "tenants_list")).toMatchObject({ isError: false });
  }
});

it("answers every request before the end of input, writes only the protocol, and exits with 0", async () => {
  const child = startProgram(["mcp"], { env });
  const exit = toExit(child);
  const [out, err] = [child.stdout, child.stderr].map((stream) => {
    let text = "";
    stream?.on("data", (chunk) => (text += chunk));
    return () => text;
  });
  const lines = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "locations_list", arguments: {} } },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  child.stdin?.end(`${lines[0]}\nno json at all\n${lines.slice(1).join("\n")}\n`);
  expect(await exit).toBe(0);
  const answers = (out?.() ?? "")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id, jsonrpc }) => [id, jsonrpc])).toEqual([
    [1, "2.0"],
    [2, "2.0"],
  ]);
  expect(err?.()).toBe("");
});

it("ends on SIGTERM", async () => {
  const child = startProgram(["mcp"], { env });
  const exit = toExit(child);
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  };
  child.stdin?.write(`${JSON.stringify(initialize)}\n`);
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  child.kill("SIGTERM");
  expect(await exit).toBe(0);
});
