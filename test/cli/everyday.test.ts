import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { customerBody, seedStore } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { keys, type Typing, typeCommand } from "../support/typed-command.ts";

const folder = useTempFolder();
const env = { DISPATCH_DATA: join(folder, "store.db"), DISPATCH_CONFIG: join(folder, "config") };
const run = (line: string, input = "") => runCommand(toWords(line), { env, input });
const type = (line: string, typings: Typing[]) => typeCommand(toWords(line), env, typings);
const json = async (line: string) => JSON.parse((await run(`${line} -o json`)).stdout);

let token: string;

beforeAll(async () => {
  token = await seedStore((words, input = "") => runCommand(words, { env, input }));
  await run("hooks delete 1 --yes");
  await run("locations create --name Manchester");
  for (const name of ["Potomac Roofing", "Potomac Schools", "Potomac Lofts"])
    await run("customers create --location 1 --body -", customerBody(name));
});

describe("users create", () => {
  const create = (line: string) => json(`users create --roles Dispatcher --username ${line}`);

  it("limits what a user sees to the location that is named", async () => {
    expect(await create("jo --location manchester")).toMatchObject({ location_id: 2 });
    const { results } = JSON.parse((await run("locations list --as jo -o json")).stdout);
    expect(results).toMatchObject([{ name: "Manchester" }]);
  });

  it("limits nothing where no location is named, although there are several", async () => {
    expect(await create("ann")).toMatchObject({ location_id: null });
  });
});

describe("a confirmation", () => {
  it.each([
    ["jobs delete 1", "job 1 (Łukasz Bączek 株式会社, 1 Main St, Łódź)"],
    ["jobs delete 1 2", "jobs 1 (Łukasz"],
    ["addresses remove 1 --customer 1", "address 1 (1 Main St)"],
    ["customer-locations remove 1 --customer 2", "(Potomac Roofing)"],
    ["users erase jo --location 2", "(jo)"],
  ])("names the record: %s", async (line, named) => {
    expect(await run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(named) });
  });

  it("that cannot be undone asks for the name", async () => {
    const erase = (typed: string) =>
      type("customers erase 4", [["Type Potomac Lofts to confirm:", `${typed}${keys.enter}`]]);
    expect(await erase("y")).toMatchObject({ stderr: expect.stringContaining("Nothing changed.") });
    expect(await erase("Potomac Lofts")).toMatchObject({ code: 0, stdout: expect.stringMatching(/erased/) });
  });
});

it("the word none clears the record in a field", async () => {
  await run("drivers create --location 1 --name Pat");
  await run("trucks update 1 --driver pat");
  expect(await json("trucks update 1 --driver none")).toMatchObject({ driver_id: null });
  await run("jobs assign 2 --truck 'truck 7'");
  expect(await json("jobs assign 2 --truck none")).toMatchObject({ truck_id: null });
});

it("-q prints ids only", async () => {
  expect(await run("jobs list --truck 'truck 7' -q")).toEqual({ code: 0, stderr: "", stdout: "1\n" });
  expect(await run("jobs assign 1 --truck 'truck 7' -q")).toEqual({ code: 0, stderr: "", stdout: "1\n" });
});

it("counts one record in the singular", async () => {
  const one = await run(`export trucks --out ${join(folder, "one.xlsx")}`);
  expect(one.stderr).toMatch(/^1 truck written/);
  expect((await run(`backup ${join(folder, "one.backup")}`)).stdout).toContain("1 tenant, 4 customers,");
});

it("find reports how many more records match", async () => {
  expect(await run("find potomac --limit 1")).toMatchObject({
    code: 0,
    stderr: "Showing 1 of 2; --limit 50 shows more; another word finds fewer.\n",
  });
  expect((await run("find potomac")).stderr).toBe("");
});

it("day -o csv prints a row for each job", async () => {
  const { stdout } = await run("day 2026-12-01 -o csv");
  const [head, row] = stdout.split("\r\n");
  expect(head).toMatch(/^date,location,truck,driver,job,/);
  expect(row).toMatch(/^2026-12-01,Main yard,Truck 7,,1,/);
});

it("undo of a new customer says that the customer was deactivated", async () => {
  await run("customers create --location 1 --body -", customerBody("Brief Stay"));
  const { code, stderr, stdout } = await run("undo --yes");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^Undone: customers create by owner, today \d+:\d\d\nCustomer 5 Brief Stay: deactivated\n$/,
  );
});

it("a change of an address names what changed in it", async () => {
  const place = async (zip: string) =>
    (await run(`locations update 1 --address '1 Elm St, Tacoma WA ${zip}'`)).stdout;
  expect(await place("98402")).toContain("address – → 1 Elm St, Tacoma, WA 98402");
  expect(await place("98403")).toMatch(/address .*postcode 98402 → 98403/);
});

it("undo of an absence says who is back", async () => {
  await run("drivers create --location 1 --name Oscar");
  await run("drivers off oscar --until 2099-12-02 --reason sick");
  expect((await run("undo --yes")).stdout).toMatch(
    /^Undone: drivers off by owner, .*\nDriver \d+ Oscar: off until Wed Dec 2 2099 \(sick\) → not off\n$/,
  );
});

it("a new customer with almost the name of another causes a warning", async () => {
  const address = "--contact name=Al --address '1 Elm St, Tacoma WA 98402'";
  const create = async (name: string) => {
    const { stderr } = await run(`customers create --location 1 --name '${name}' ${address}`);
    await run("undo --yes");
    return stderr;
  };
  for (const name of ["Potomac Roofing LLC", "Potomac Rofing"])
    expect(await create(name)).toContain(`${name} looks like customer 2 Potomac Roofing`);
  const { stderr } = await run(
    "jobs create --location 1 -n 'Potomac Roofin' -a '1 Elm St, Tacoma WA 98402' --dry-run",
  );
  expect(stderr).toContain("looks like customer 2");
  expect(stderr).not.toContain("undo");
  for (const name of ["Potomac Painting", "Potomac Roofing 2"])
    expect(await create(name)).not.toContain("looks like");
});

it("a new customer with the phone number of another causes a warning", async () => {
  await run("contacts add --customer 2 --name Dana --number '(202) 555-0142'");
  const address = "--address '1 Elm St, Tacoma WA 98402'";
  const { stderr } = await run(
    `customers create --location 1 --name 'Elm Bakery' --contact 'name=Al,number=+1 202 555 0142' ${address}`,
  );
  expect(stderr).toMatch(
    /^Elm Bakery has the phone number of customer 2 Potomac Roofing .* takes the new one back\.$/m,
  );
  await run("undo --yes");
  const job = `jobs create --location 1 -n 'Bo Lin' --phone 202.555.0142 -a '1 Elm St, Tacoma WA 98402' --dry-run`;
  expect((await run(job)).stderr).toContain("Bo Lin has the phone number of customer 2 Potomac Roofing");
  const wrong = await run(
    "customers create --location 1 --name Elm --body -",
    '{"addresses":[{}],"contacts":[null]}',
  );
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("contacts[0]")]);
});

it("doctor uses the token of the profile", async () => {
  const server = await serveStore(env.DISPATCH_DATA, token);
  onTestFinished(server.end);
  const url = server.env.DISPATCH_URL;
  await run(`profiles add hq --url ${url} --token-file -`, token);
  const { findings } = JSON.parse(
    (
      await runCommand(toWords("doctor --profile hq -o json"), {
        env: { DISPATCH_CONFIG: env.DISPATCH_CONFIG },
      })
    ).stdout,
  );
  expect(findings).toContainEqual(expect.objectContaining({ check: "token", status: "ok" }));
});

it("a server that hangs is reported, with the way to wait longer", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  const hung = await runCommand(["jobs", "list", "--url", `http://127.0.0.1:${port}`], {
    env: { DISPATCH_TIMEOUT: "0.2", DISPATCH_TOKEN: token },
  });
  expect(hung.stderr).toContain("no answer within 0.2 s");
  expect(hung.stderr).toContain("DISPATCH_TIMEOUT=120 waits up to 120 s");
  const wrong = await runCommand(["jobs", "list", "--url", `http://127.0.0.1:${port}`], {
    env: { DISPATCH_TIMEOUT: "soon", DISPATCH_TOKEN: token },
  });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("DISPATCH_TIMEOUT must be") });
});

it("init asks for the names and the zone", async () => {
  const data = join(folder, "asked.db");
  const { code, stdout } = await type(`init --data ${data}`, [
    ["Name of your company (My company)", `Acme${keys.enter}`],
    ["Name of the first location (Main yard)", keys.enter],
    ["Time zone", `EST${keys.enter}`],
    ["EST ignores daylight saving time", `${"\u007f".repeat(3)}America/Denver${keys.enter}`],
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain("is Acme, location 1 is Main yard");
  expect(stdout).toContain("Times are in America/Denver.");
});

describe("notes", () => {
  it("of a misspelled customer propose the nearest name, not a new customer", async () => {
    const { stderr } = await run('customers note potomak "COD only"');
    expect(stderr).toContain('fix: Write "Potomac Roofing", or list all');
    expect(stderr).not.toContain("customers create");
  });

  it("of a customer are in find and on its jobs", async () => {
    expect(await run('customers note "potomac roofing" "COD only"')).toMatchObject({
      code: 0,
      stdout: "Potomac Roofing: COD only\n",
    });
    await run('customers note "potomac roofing" Ring twice');
    const { stdout: found } = await run("find potomac roofing");
    expect(found).toContain("Note     Ring twice · COD only");
    await run("jobs create --customer 'potomac roofing' --type P --schedule-date tomorrow");
    const { results } = await json("jobs list");
    const own = results.find((job: { customer_id: number }) => job.customer_id === 2);
    expect((await run(`jobs get ${own.id}`)).stdout).toMatch(/customer note +Ring twice/);
    const { stdout: removed } = await run('customers note "potomac roofing" ""');
    expect(removed).toBe("Potomac Roofing: no notes\n");
  });

  it("of a job are added to those that it has", async () => {
    await run("jobs note 1 gate code 4411");
    for (const line of ["jobs note 1 locked --dry-run", "customers note 'potomac roofing' locked --dry-run"])
      expect((await run(line)).stdout).toContain("would have: locked");
    expect((await run('jobs note 1 "ask for Dana" -o json')).stdout).toBe(
      `${JSON.stringify({ id: 1, dispatcher_notes: "ask for Dana\ngate code 4411" })}\n`,
    );
  });

  it("are never read as a name", async () => {
    expect(await run("customers update 2 --note x")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('`dispatch-cli customers note <customer> "…"` adds a note.'),
    });
  });
});

it("jobs cancel explains its effect, and restore brings the job back", async () => {
  expect(await run("jobs cancel 2")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Cancel a job (is_deleted true until `jobs restore`): job 2 ("),
  });
  const canceled = await json("jobs cancel 2 --dispatcher-notes 'Customer called' --yes");
  expect(canceled).toMatchObject({ dispatcher_notes: "Customer called", is_deleted: true });
  expect(await json("jobs restore 2")).toMatchObject({ is_deleted: false });
});

describe("completing a job", () => {
  it("asks on a terminal when the job is on no truck or for a later day", async () => {
    await run("jobs update 2 --schedule-date tomorrow");
    const asked = "although it is on no truck and it is planned for tomorrow?".replaceAll(" ", "");
    const { stderr } = await type("jobs complete 2", [["(y/N)", keys.enter]]);
    expect(stderr.replace(/\s+/g, "")).toContain(asked);
    expect(await json("jobs get 2")).toMatchObject({ is_completed: false });
  });

  it("is refused in a script for such a job without --yes", async () => {
    expect(await run("jobs complete 2")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/it is planned for tomorrow\?\n.*--yes/),
    });
    expect(await json("jobs get 2")).toMatchObject({ is_completed: false });
  });

  it("asks nothing with --yes, and in a dry run", async () => {
    expect(await type("jobs complete 2 --dry-run --yes", [])).toMatchObject({ code: 0 });
    expect(await run("jobs complete 2 --dry-run")).toMatchObject({ code: 0 });
  });
});

it("one driver on two trucks causes a warning", async () => {
  await run("trucks update 1 --driver pat");
  await run("trucks create --location 1 --name 'Truck 8'");
  expect(await run("trucks update 'truck 8' --driver pat")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("The driver is on Truck 7 too"),
  });
  expect((await run("trucks update 1 --driver pat --notes washed")).stderr).toContain("on Truck 8 too");
});
