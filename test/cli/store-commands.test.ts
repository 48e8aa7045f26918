import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
const env = { DISPATCH_DATA: data };
const run = (line: string, input?: string) =>
  runCommand(line.split(" "), { env, ...(input !== undefined && { input }) });

const address = {
  country: "US",
  is_billing: true,
  is_shipping: true,
  latitude: 38.86,
  line_1: "1745 T Street Southeast",
  locality: "Washington",
  longitude: -76.97,
  postcode: "20020",
  region: "DC",
};

it.each(["--data", "--tenant", "--as", "--output"])("refuses %s without a value", async (option) => {
  const { code, stderr } = await runCommand(["jobs", "list", option, ""], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${option} is empty.`)]);
});

it.each([
  "init --data mysql://u:geheim@127.0.0.1/x",
  "jobs list --data mysql://u:geheim@127.0.0.1/x",
  "store copy --from a.db --to mysql://u:geheim@127.0.0.1/x",
])("treats no address of another kind as a file, and repeats no password: %s", async (line) => {
  const { code, stdout, stderr } = await run(line);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("not mysql://….")]);
  expect(stderr).not.toContain("geheim");
});

it("reports an invalid server address before it asks for a token", async () => {
  const { code, stderr } = await run("jobs list --url nonsense");
  expect([code, stderr]).toEqual([2, expect.stringContaining('not "nonsense"')]);
});

it.each(["", "name\nTruck 7\n"])(
  "interrupts an import whose standard input does not end after %j",
  async (input) => {
    const line = "import trucks - --location 1";
    const interrupted = Promise.resolve();
    const { code, stderr } = await runCommand(line.split(" "), { env, input, interrupted, isOpen: true });
    expect([code, stderr]).toEqual([130, "Stopped before anything was changed.\n"]);
  },
);

it("asks nothing when standard input was read for the body", async () => {
  const { code, stderr } = await runCommand(["users", "create", "--body", "-"], {
    columns: 80,
    env,
    input: '{"username":"Robin"}',
    isTyped: true,
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining("Missing: --roles")]);
});

beforeAll(async () => {
  const init = await runCommand(
    toWords(`init --allow-private-hooks --data ${data} --tenant Acme --location 'Main yard' -o json`),
  );
  expect(init).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ data, location_id: 1, tenant_id: 1, user: "owner" })}\n`,
    stderr: "",
  });
  const body = JSON.stringify({ name: "Ångström Labs", addresses: [address], contacts: [] });
  await run("customers create --location 1 --body -", body);
});

describe("init", () => {
  it("leaves an existing store untouched, with exit code 6", async () => {
    const before = readFileSync(data);
    const { code, stdout, stderr } = await runCommand(["init", "--data", data]);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toContain("it was not touched");
    expect(readFileSync(data).equals(before)).toBe(true);
  });
});

describe("an operation's command", () => {
  it("names every missing required option at once, with exit code 2, without a terminal", async () => {
    const { code, stdout, stderr } = await run("customers create --location 1");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Missing: --address, --contact, --name");
  });

  it("reads the body from standard input and lets options override its fields", async () => {
    const body = JSON.stringify({ name: "from the body", addresses: [], contacts: [] });
    const { stdout } = await run(
      "customers create --location 1 --body - --name Overridden -o json --dry-run",
      body,
    );
    expect(JSON.parse(stdout).name).toBe("Overridden");
  });

  it("accepts an entry of a list as JSON, from a file, or as field=value pairs whose values may hold commas", async () => {
    const pairs =
      "line_1=1 Main St, Suite 3,locality=X,region=DC,postcode=1,country=US,latitude=1,longitude=2,is_billing=true,is_shipping=0";
    const words = [
      "customers",
      "create",
      "--location",
      "1",
      "--name",
      "Pairs",
      "--contact",
      "[]",
      "--dry-run",
      "-o",
      "json",
    ];
    const { code, stdout } = await runCommand(
      [...words, "--address", pairs, "--address", JSON.stringify(address)],
      { env },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).addresses.map((shown: { line_1: string }) => shown.line_1)).toEqual([
      "1 Main St, Suite 3",
      "1745 T Street Southeast",
    ]);
  });

  it("reports every violation on a separate line, with exit code 2, and stores nothing", async () => {
    const body = JSON.stringify({
      name: "",
      addresses: [{ ...address, country: "us" }],
      contacts: [],
      id: 4,
    });
    const { code, stderr } = await run("customers create --location 1 --body -", body);
    expect(code).toBe(2);
    expect(stderr).toBe(
      [
        "error: A value has the wrong format",
        "  why: addresses[0].country must be an ISO 3166-1 alpha-2 country code in capitals, like US.",
        "  why: name must have 1 to 64 characters, not 0. (--name)",
        "  why: id is not accepted.",
        "  fix: Correct the value as the detail says.",
        "",
      ].join("\n"),
    );
    const { stdout } = await run("customers list -o json");
    expect(JSON.parse(stdout).total_count).toBe(1);
  });

  it("explains the codes of a choice", async () => {
    const { stderr } = await run("jobs create --location 1 --customer 1 --address 1 --type box");
    expect(stderr).toContain(
      "why: type must be one of D drop-off, E exchange, L live load, P pickup, R service. (--type)",
    );
  });

  it("names the option of a field in text only: the error body is unchanged", async () => {
    const line = `users create --location 0 --username ${"u".repeat(65)} --roles Dispatcher,Boss`;
    const { stderr } = await run(line);
    expect(stderr.match(/why: .*/g)).toEqual([
      expect.stringMatching(/^why: location_id .* \(--location\)$/),
      expect.stringMatching(/^why: location_id .* \(--location-id\)$/),
      expect.stringMatching(/^why: roles\[1\] .* \(--roles\)$/),
      expect.stringMatching(/^why: username .* \(--username\)$/),
    ]);
    expect((await run(`${line} -o json`)).stderr).not.toContain("(--");
  });

  it("prints the error body on stderr with -o json", async () => {
    const { code, stdout, stderr } = await run("customers get 99 -o json");
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({
      code: "record_not_found",
      status: 404,
      detail: "There is no customer 99.",
    });
  });

  it.each([
    ["jobs lst", 2],
    ["jobs list --nope", 2],
    ["jobs create", 2],
    ["trucks get nobody", 5],
  ])("prints no HTTP status for an error of `%s -o json` without a server", async (line, exitCode) => {
    const { code, stderr } = await run(`${line} -o json`);
    expect([code, JSON.parse(stderr).status]).toEqual([exitCode, null]);
  });

  it("stores nothing in a dry run, and says so", async () => {
    const { code, stdout, stderr } = await run("trucks create --location 1 --name Truck -o json --dry-run");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "dry run: nothing was stored\n" });
    expect(JSON.parse(stdout).name).toBe("Truck");
    expect(JSON.parse((await run("trucks list --location 1 -o json")).stdout).total_count).toBe(0);
  });

  it("asks before a dangerous action, and requires --yes without a terminal", async () => {
    await run("hooks create --events Job,Truck --callback-url http://127.0.0.1:9/hook");
    const refused = await run("hooks delete 1");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`${data}, tenant 1 (Acme)`)]);
    expect(JSON.parse((await run("hooks get 1 -o json")).stdout).deleted_at).toBeNull();
    const done = await run("hooks delete 1 --yes -o json");
    expect([done.code, JSON.parse(done.stdout).deleted_at]).toEqual([0, expect.any(String)]);
  });

  it("exits with 9 when a ping fails, and still shows the answer", async () => {
    await run("hooks create --events Job --callback-url http://127.0.0.1:9/hook");
    const { code, stdout, stderr } = await run("hooks ping 2 -o json");
    expect([code, JSON.parse(stdout).http_status]).toEqual([9, -1]);
    expect(JSON.parse(stderr).code).toBe("ping_failed");
  });

  it("checks --fields before it changes anything", async () => {
    const { code } = await run("trucks create --location 1 --name Truck --fields nmae");
    expect(code).toBe(2);
    expect(JSON.parse((await run("trucks list --location 1 -o json")).stdout).total_count).toBe(0);
  });

  it("acts as another user with --as, within the roles of that user", async () => {
    await run("tokens create --username dora --roles Driver");
    const { code, stderr } = await run("trucks create --location 1 --name Truck --as dora");
    expect([code, stderr]).toEqual([4, expect.stringContaining("the caller acts as Driver")]);
  });

  it("shows the shape of the requested version, by default the newest", async () => {
    expect(JSON.parse((await run("locations customer 1 --location 1 -o json")).stdout).id).toBe(1);
    const old = await run("locations customer 1 --location 1 -o json --api-version 2019/02/08");
    expect(JSON.parse(old.stdout)).toMatchObject({ customer_id: 1 });
  });
});

describe("jobs list and customers list", () => {
  it("use the operation for a location with --location", async () => {
    const tenantWide = JSON.parse((await run("customers list -o json")).stdout);
    const atLocation = JSON.parse((await run("customers list --location 1 -o json")).stdout);
    expect(Object.keys(tenantWide.results[0])).toContain("locations");
    expect(atLocation.results[0]).toMatchObject({ location_id: 1, name: "Ångström Labs" });
    expect((await run("jobs list --location 7")).code).toBe(5);
  });
});

describe("jobs list --active and --inactive", () => {
  it("keep the records that their names say, whatever --deleted means", async () => {
    const words = "jobs create --location 1 --type R --requested-by 1 --address-id 1 -o json";
    const kept = JSON.parse((await run(words)).stdout).id;
    const deleted = JSON.parse((await run(`${words} --is-deleted true`)).stdout).id;
    const listed = async (line: string) =>
      JSON.parse((await run(`${line} -o json`)).stdout).results.map(({ id }: { id: number }) => id);
    expect(await listed("jobs list --active")).toEqual([kept]);
    expect(await listed("jobs list --inactive --location 1")).toEqual([deleted]);
  });

  it("are refused if another option contradicts them", async () => {
    for (const others of ["--active", "--deleted true"]) {
      const { code, stderr } = await run(`jobs list --inactive ${others}`);
      expect([code, stderr]).toEqual([2, expect.stringContaining("another option says deleted true")]);
    }
  });
});

describe("help", () => {
  it("before a command is the same as --help after it", async () => {
    const { code, stdout } = await run("help jobs list");
    expect([code, stdout]).toEqual([0, (await run("jobs list --help")).stdout]);
  });
});

describe("tokens create", () => {
  it("creates a user if none has that name, and refuses roles that an existing user does not have", async () => {
    const made = await run("tokens create --username nina --roles Dispatcher,Admin -o json");
    expect(JSON.parse(made.stdout)).toMatchObject({
      roles: ["Dispatcher", "Admin"],
      token: expect.stringMatching(/^dispatch\.\d+\.[\w-]{43}$/),
    });
    const refused = await run("tokens create --username nina --roles Driver");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("nina has the roles Dispatcher, Admin, not Driver"),
    ]);
  });

  it("pins an API version with --api-version", async () => {
    const { stdout } = await run("tokens create --username owner --api-version 2021/04/07 -o json");
    expect(JSON.parse(stdout).api_version).toBe("2021/04/07");
  });
});

describe("api", () => {
  it("answers on a store like a server", async () => {
    const { code, stdout } = await run("api GET /jobs --query page_limit=1 -i");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^HTTP\/1\.1 200\n/);
    expect(stdout).toContain("allow: GET\n");
    expect(stdout).toContain('"current_limit":1');
  });

  it("exits with the code for the status of the answer", async () => {
    expect((await run("api GET /nowhere")).code).toBe(5);
  });

  it("answers /whoami for the acting user without a token", async () => {
    const { code, stdout } = await run("api GET /whoami");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { token_id: null, user: "owner" }]);
    expect((await run("api PUT /jobs")).code).toBe(5);
    expect((await run("api POST /hooks --body -", "{")).code).toBe(2);
    expect((await run("api FOO /jobs")).code).toBe(2);
  });

  it("checks everything and stores nothing with --dry-run", async () => {
    const before = (await run("trucks list --location 1 -o json")).stdout;
    const { code, stdout } = await run("api POST /locations/1/trucks --dry-run --body -", '{"name":"Dry"}');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { name: "Dry" }]);
    expect((await run("api POST /locations/1/trucks --dry-run --body -", "{}")).code).toBe(2);
    expect((await run("trucks list --location 1 -o json")).stdout).toBe(before);
  });
});

describe("the target", () => {
  it("is refused when two options name it", async () => {
    const { code, stderr } = await runCommand(toWords(`jobs list --data ${data} --url http://127.0.0.1:1`));
    expect([code, stderr]).toEqual([2, expect.stringContaining("Use either --data or --url, not both.")]);
  });

  it("is reported as missing with exit code 5, and not created", async () => {
    const missing = join(folder, "nowhere.db");
    const { code, stderr } = await runCommand(["jobs", "list", "--data", missing]);
    expect([code, stderr]).toEqual([5, expect.stringContaining("dispatch-cli init")]);
    expect((await runCommand(["jobs", "list", "--data", missing])).code).toBe(5);
  });

  it("is reported as unreachable with exit code 8", async () => {
    const { code, stderr } = await runCommand(["jobs", "list", "--url", "http://127.0.0.1:1"], {
      env: { DISPATCH_TOKEN: "dispatch.1.x" },
    });
    expect([code, stderr]).toEqual([8, expect.stringContaining("the connection is refused")]);
  });

  it("of several tenants must be named, except for listing them", async () => {
    const several = join(folder, "several.db");
    await runCommand(["init", "--data", several]);
    await runCommand(["tenants", "create", "--name", "Second", "--data", several]);
    const unnamed = await runCommand(["jobs", "list", "--data", several]);
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining("Name one with --tenant")]);
    const { code, stdout } = await runCommand(["tenants", "list", "--data", several, "-o", "json"]);
    // The list contains the tenants of the acting user.
    expect([code, JSON.parse(stdout).total_count]).toEqual([0, 1]);
  });

  it("of several tenants is the first one if `demo` created the store", async () => {
    const data = join(folder, "of-demo.db");
    await runCommand(["demo", "--data", data, "--jobs", "10"]);
    const { code, stdout } = await runCommand(["whoami", "--data", data, "-o", "json"]);
    expect([code, JSON.parse(stdout).tenant]).toEqual([0, 1]);
  });

  it("gets no request with an impossible token, and the command exits with 3", async () => {
    const { code, stderr } = await runCommand(["jobs", "list", "--url", "http://127.0.0.1:1"], {
      env: { DISPATCH_TOKEN: "a\nb" },
    });
    expect([code, stderr]).toEqual([3, expect.stringContaining("invalid characters")]);
  });

  it("needs a token when it is a server, with exit code 3", async () => {
    const { code, stderr } = await runCommand(["jobs", "list", "--url", "http://127.0.0.1:1"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("DISPATCH_TOKEN")]);
  });
});

it("reports why a document cannot be written", async () => {
  const truck = await run("trucks create --location 1 --name T -o json");
  const { id } = JSON.parse(truck.stdout) as { id: number };
  const folders: [string, string][] = [
    [join(folder, "none", "list.pdf"), "there is no such folder"],
    [folder, "it is a folder"],
    [".", "something else uses it"],
  ];
  for (const [file, reason] of folders) {
    const { code, stderr } = await run(`trucks job-list-pdf ${id} --location 1 --out ${file}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} cannot be written: ${reason}.`)]);
  }
});

it("reports why a font cannot be used", async () => {
  const truck = await run("trucks create --location 1 --name F -o json");
  const { id } = JSON.parse(truck.stdout) as { id: number };
  const fonts: [string, string][] = [
    [join(folder, "nope.ttf"), "there is no such file"],
    [folder, "it is a folder"],
  ];
  for (const [file, reason] of fonts) {
    const { code, stderr } = await run(`trucks job-list-pdf ${id} --location 1 --out - --font ${file}`);
    const why = `The font file ${file} cannot be used: ${reason}.`;
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  }
});
