import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer } from "../../src/http/serve.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { ownIdOf } from "../../src/records/command-options.ts";
import { hashPasswordsCheaply } from "../support/cheap-passwords.ts";
import { type CommandResult, runCommand } from "../support/command-line.ts";
import { describeFixtureOverHttp, type Fixture } from "../support/fixture.ts";
import { toValidCall } from "../support/valid-call.ts";

hashPasswordsCheaply();

const writes = (await loadOperations())
  .filter(({ ofServer }) => !ofServer)
  .filter(({ effect }) => effect === "write" || effect === "delete");

/** Operations that show a secret once, so their output needs more than one line. */
const showSecrets = ["hooks.create", "hooks.rotate-secret", "tokens.create", "tokens.rotate"];

describeFixtureOverHttp("a write of any kind", (fixture) => {
  let url = "";
  let close: () => Promise<void>;
  beforeAll(async () => {
    const log = { write() {} };
    const options = { delivers: false, host: "127.0.0.1", log, logLevel: "silent", port: 0 } as const;
    ({ close, url } = await startServer(fixture.harness.service, options));
  });
  afterAll(() => close());
  const lines: string[] = [];

  it.each(writes)("answers with one line of words on a store and on a server: $name", async (operation) => {
    const { argv, input, onServer, onStore } = toCommand(operation, fixture, url);
    const told = await runCommand(argv, { env: onStore, input });
    expect(told).toMatchObject({ code: 0, stderr: expect.stringMatching(/dry run: nothing was stored\n$/) });
    if (showSecrets.includes(operation.name)) return expect(told.stdout).toMatch(/\n(?:secret|token) /);
    expect(await runCommand(argv, { env: onServer, input })).toEqual(told);
    expectWords(told);
    lines.push(told.stdout.replace(/\d+/g, "0").trimEnd());
  });

  it("states the action and the record (npx vitest run test/generated/own-lines.test.ts -u)", () => {
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "Customer 0 created: 0 T Street SE, Washington
      Customer 0 Renamed: name First of Acme → Renamed
      Customer 0 erased, with 0 address, 0 contact, 0 jobs, 0 rows of its history
      Address 0 (0 T Street SE) added to First of Acme
      Address 0 (0 T Street SE) of First of Acme: line 0 – → Rear gate
      Address 0 (0 T Street SE) removed from First of Acme
      Contact 0 Zoë added to First of Acme
      Contact 0 Renée of First of Acme: name – → Renée
      Contact 0 erased, with 0 contact, 0 rows of its history
      First of Acme added to North
      First of Acme at Acme yard: note – → Ring twice
      First of Acme is no longer a customer of Acme yard
      Job 0 created: Drop-off for First of Acme, 0 T Street SE, Washington, no date
      Job 0: dispatcher notes – → Gate code 0
      Job 0 → Truck 0, Thu Dec 0 0:0 (was without a date)
      Job 0: nothing changed
      Job 0: item Mattress added
      Job 0: image added, https://example.com/image.jpg
      Job 0: material Concrete added
      Truck 0 created
      Truck 0: driver – → Driver 0
      Truck 0 does jobs 0 in this order
      Driver 0 Dana created
      Driver 0: city – → Tacoma
      User 0 user-0 created
      User 0 user-0: roles CrmUser → CrmUser, Dispatcher
      User 0 erased, with 0 row of its history
      Location 0 South created
      Location 0 Main yard: name Acme yard → Main yard
      Dump destination 0 South landfill created
      Dump destination 0 North landfill: city Tacoma → Seattle
      Material 0 Gravel created
      Asset type 0 (0 yd roll-off) created
      Asset type 0 (0 yd roll-off): quantity 0 → 0
      Asset 0 R-0 created
      Asset 0 R-0: number R-0 → R-0
      Hook 0 http://0.0.0.0:0/: secret changed
      Hook 0 http://0.0.0.0:0/ deleted
      Sending 0 deliveries again
      Hook 0 http://0.0.0.0:0/ was already active
      Sending 0 delivery again
      Token 0 the-Admin revoked
      Undone: Job 0 created
      Kept: audit forever, chats forever, deliveries 0d, events 0d, gps forever
      Removed: 0 audit, 0 chats, 0 deliveries, 0 events, 0 gps
      Driver 0 on Truck 0 is at 0.0, -0
      Hauler New Haul created
      Big Haul is connected with Acme
      Message 0 sent to Driver 0: Call me
      Message 0: text Call the yard now
      0 operation done"
    `);
  });
});

/** The command for a valid call as an allowed caller, with its body on standard input. */
function toCommand(operation: (typeof writes)[number], fixture: Fixture, url: string) {
  const { as, body, params } = toValidCall(operation, fixture);
  const own = ownIdOf(operation);
  const options = Object.entries(params).flatMap(([name, value]) =>
    name === own ? [] : [`--${name.replace(/_id$/, "").replaceAll("_", "-")}`, String(value)],
  );
  const { tenantId, token, user } = fixture.harness.callerOf(as);
  return {
    argv: [
      ...operation.name.split("."),
      ...(own === null ? [] : [String(params[own])]),
      ...options,
      ...(body ? ["--body", "-"] : []),
      ...(operation.effect === "delete" ? ["--yes"] : []),
      "--dry-run",
    ],
    input: JSON.stringify(body ?? null),
    onServer: { DISPATCH_TENANT: String(tenantId), DISPATCH_TOKEN: token, DISPATCH_URL: url },
    onStore: {
      DISPATCH_AS: user.username,
      DISPATCH_DATA: fixture.harness.store.data,
      DISPATCH_TENANT: String(tenantId),
    },
  };
}

/**
 * Expects one line without times, codes, JSON, or wire fields. Records have names, and ids only if they have no name.
 */
function expectWords({ stdout }: CommandResult): void {
  expect(stdout).toMatch(/^[A-Z0-9].*\n$/);
  expect(stdout).not.toMatch(/undefined|null|[{}"]|\dT\d|[a-z]_[a-z]|[\da-f]{8}-[\da-f]{4}/);
  expect(stdout).not.toMatch(/\b(?:truck|driver|customer|location|user|address|hook|dispatcher) \d/);
}
