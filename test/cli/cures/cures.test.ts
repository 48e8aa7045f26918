import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCured, toCommandLine } from "../../../src/cli/cures/tell-cures.ts";
import { openService } from "../../../src/core/open-service.ts";
import { toRequestCure } from "../../../src/core/request-cure.ts";
import type { OperationCure } from "../../../src/errors/cure.ts";
import { startServer } from "../../../src/http/serve.ts";
import { isOperationName, loadOperation } from "../../../src/operations/index.ts";
import { runCommand } from "../../support/command-line.ts";
import { seedStore } from "../../support/seed-store.ts";
import { toWords } from "../../support/shell-words.ts";
import { useTempFolder } from "../../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
const onStore = { DISPATCH_DATA: data };
let onServer: Record<string, string>;
let end: () => Promise<void>;

beforeAll(async () => {
  const token = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
  const service = openService({ data });
  const log = { write() {} };
  const options = { delivers: false, host: "127.0.0.1", port: 0, log, logLevel: "silent" } as const;
  const server = await startServer(service, options);
  onServer = { DISPATCH_URL: server.url, DISPATCH_TOKEN: token };
  end = async () => {
    await server.close();
    await service.store.close();
  };
});

afterAll(() => end());

describe("an error with a fix", () => {
  const told = [
    [
      "customers update 1 --parent-id 99",
      "parent_id: there is no customer 99; `dispatch-cli customers list` lists them.",
    ],
    [
      "jobs create --location 1 --type P --requested-by 99 --address-id 1",
      "requested_by: there is no customer 99 at location 1; `dispatch-cli customers list --location 1` lists them.",
    ],
    [
      "jobs create --location 1 --type P --requested-by 1 --address-id 99",
      "address_id: customer 1 has no active address 99; `dispatch-cli addresses list --customer 1` lists them.",
    ],
    [
      "trucks update 1 --location 1 --driver-id 99",
      "driver_id: there is no driver 99; `dispatch-cli drivers list --location 1` lists them.",
    ],
    [
      "customer-locations add 1 --customer 1",
      "Customer 1 has a record at location 1; `dispatch-cli customer-locations update 1 --customer 1` changes it.",
    ],
  ] as const;

  it.each(told)("suggests the same command on a store and on a server: %s", async (line, said) => {
    for (const env of [onStore, onServer]) {
      const { code, stderr } = await runCommand(toWords(line), { env });
      expect([code > 0, stderr]).toEqual([true, expect.stringContaining(said)]);
    }
  });

  it("has the fix as a request in JSON", async () => {
    const line = "customers update 1 --parent-id 99 -o json";
    for (const env of [onStore, onServer]) {
      const { stderr } = await runCommand(toWords(line), { env });
      const see = { method: "GET", path: "/customers" };
      expect(JSON.parse(stderr)).toMatchObject({ see, errors: [{ field: expect.any(String), see }] });
    }
  });

  it("suggests the commands that repair a store, which have no request", async () => {
    const { stderr } = await runCommand(["clock", "advance", "1d"], { env: onStore });
    expect(stderr).toContain("`init --sandbox` or `demo`");
  });
});

describe("the command of a fix", () => {
  const cures: [OperationCure, string][] = [
    [
      {
        operation: "jobs.update",
        params: { job_id: 7, location_id: 1 },
        body: { is_failed: false, driver_notes: "a b" },
      },
      'jobs update 7 --location 1 --is-failed false --driver-notes "a b"',
    ],
    [
      { operation: "users.update", body: { driver_id: "{driver_id}" } },
      "users update <id> --location <id> --driver-id <id>",
    ],
    [
      { operation: "locations.customers", params: { location_id: 1 }, query: { active: true } },
      "customers list --location 1 --active true",
    ],
    [{ operation: "locations.get", params: { location_id: 1 } }, "locations get 1"],
    [
      { operation: "jobs.add-image", params: { job_id: 7, location_id: 1 } },
      "jobs add-image 7 --location 1 --image-url <image-url>",
    ],
  ];

  it.each(cures)("is the same for the operation and for its request: %j", async (cure, line) => {
    if (!isOperationName(cure.operation)) throw new Error(`There is no operation ${cure.operation}.`);
    const request = toRequestCure(await loadOperation(cure.operation), cure);
    for (const one of [cure, request]) {
      const call = await findCured(one);
      expect(call && toCommandLine(call)).toBe(`dispatch-cli ${line}`);
    }
  });

  it.each([
    { method: "GET", path: "/nowhere" },
    { method: "PUT", path: "/customers" },
    { method: "GET", path: "/customers/$(reboot)" },
  ])("is empty for requests that this program does not know: %j", async (request) => {
    expect(await findCured(request)).toBeNull();
  });
});

describe("the source outside cli/", () => {
  const source = join(import.meta.dirname, "../../../src");
  const rooms = ["core", "http", "models", "operations", "store", "webhooks"];
  const texts = rooms.flatMap((room) =>
    readdirSync(join(source, room), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => [`${room}/${name}`, readFileSync(join(source, room, name), "utf8")] as const),
  );

  it("contains no command of the terminal in its texts", () => {
    expect(texts.filter(([, text]) => /`dispatch-cli |\bdispatch-cli [a-z-]+ --/.test(text))).toEqual([]);
  });

  it("suggests only existing operations as fixes, with their own parameters", async () => {
    const named = texts.flatMap(([file, text]) =>
      [...text.matchAll(/operation: "([\w.-]+)"/g)].map(([, name = ""]) => [file, name] as const),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(([, name]) => !isOperationName(name))).toEqual([]);
  });
});
