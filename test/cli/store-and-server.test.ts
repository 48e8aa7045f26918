import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
const onStore = { DISPATCH_DATA: data };
let onServer: Record<string, string>;
let end: () => Promise<void>;

beforeAll(async () => {
  const token = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
  ({ end, env: onServer } = await serveStore(data, token));
});

afterAll(() => end());

const lists = [
  "customers list",
  "customers list --location 1 --name *BĄ*",
  "customers list --name bącz",
  "locations list",
  "addresses list --customer 1",
  "jobs list",
  "jobs list --open",
  "jobs list --location 1 --page-limit 1 --page-index 2",
  "jobs list --truck-id 1 --is-dispatched true --fields id,customer.name,schedule_date",
  "trucks list --location 1",
  "hooks list",
  "users list --location 1",
  "tenants list",
  "tokens list",
  "audit list --user owner",
  "events list",
  "jobs timeline 1 --location 1",
];

const records = [
  "customers get 1",
  "locations get 1",
  "locations customer 1 --location 1",
  "jobs get 1 --location 1",
  "jobs get 1 --location 1 --api-version 2019/02/08",
  "trucks get 1 --location 1",
  "trucks create --location 1 --name Truck --dry-run",
  "trucks update 1 --location 1 --notes x --dry-run",
  "hooks get 1",
  "hooks delete 1 --yes --dry-run",
];

const refusals = [
  "customers get 99",
  "customers list --page-limit 1001",
  "jobs list --truck-id x --schedule-gte yesterday",
  "jobs get 1 --location 2",
  "jobs timeline 1 --location 2",
  "tokens rotate 99 --yes",
  "tokens rotate 1",
  "hooks delete 1",
  "trucks update 1 --location 1 --notes x --api-version 2019/02/08",
  "trucks update 1 --location 1 --driver-id 5 --api-version 2019/02/08",
  "trucks job-list-pdf 1 --location 1 --api-version 2023/04/19",
  "customers create --location 1 --name X --address country=U --contact []",
  "jobs create --location 1 --type P --requested-by 7 --address-id 1 --asset-dropped-id 3",
];

const inForms = (lines: readonly string[], forms: readonly string[], succeeds: boolean) =>
  lines.flatMap((line) => forms.map((form) => [`${line} -o ${form}`, succeeds] as const));

const cases = [
  ...inForms(lists, ["table", "json", "ndjson", "csv", "yaml"], true),
  ...inForms(records, ["table", "json", "yaml"], true),
  ...inForms(refusals, ["table", "json"], false),
];

describe("the same command on a store and on a server", () => {
  it.each(cases)("has the same output and exit code: %s", async (line, succeeds) => {
    const store = await runCommand(line.split(" "), { env: onStore });
    const server = await runCommand(line.split(" "), { env: onServer });
    expect(withoutIdentity(server)).toEqual(withoutIdentity(store));
    expect(succeeds ? store.stdout : store.stderr).not.toBe("");
    expect(store.code === 0).toBe(succeeds);
  });
});

/** Removes what differs between any two calls: times, request ids, and the target named in questions. */
function withoutIdentity({ code, stdout, stderr }: CommandResult) {
  const told = stderr
    .replace(/^ {2}request id: .*\n/m, "")
    .replace(/"request_id":(null|"[^"]*")/, '"request_id":…')
    .replaceAll(onServer.DISPATCH_URL ?? "", "TARGET")
    .replaceAll(data, "TARGET");
  const shown = stdout.replace(/("?deleted_at"?:? *"?)[\d-]+T[\d:.]+/g, "$1…");
  return { code, stdout: shown, stderr: told };
}
