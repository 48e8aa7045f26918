import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { expect, it } from "vitest";
import { runProgram, startProgram, toExit } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const rowCount = Number(process.env.DISPATCH_IMPORT_ROWS ?? 1000);
const badCount = 100;

it(`imports ${rowCount} rows through a kill and a Ctrl-C, each valid row once; a second run changes nothing`, async () => {
  const data = join(folder, "store.db");
  const file = join(folder, "customers.csv");
  writeFileSync(file, toCsv());
  const run = (...argv: string[]) => runProgram([...argv, "--data", data]);
  await run("init", "--tenant", "Acme", "--location", "Yard");
  const importing = ["import", "customers", file, "--yes", "--data", data];
  const store = new SqliteDatabase(data, { readonly: true });
  const count = store.prepare("select count(*) from customers").pluck();
  const untilStored = async (wanted: number) => {
    while (Number(count.get()) < wanted) await sleep(5);
  };

  const killed = startProgram(importing);
  const died = toExit(killed);
  await untilStored(rowCount / 5);
  killed.kill("SIGKILL");
  expect(await died).toBe(-1);
  const afterKill = Number(count.get());
  expect(afterKill).toBeLessThan(rowCount - badCount);

  const stopped = startProgram(importing);
  const left = toExit(stopped);
  let told = "";
  stopped.stderr?.on("data", (chunk) => {
    told += String(chunk);
  });
  await untilStored(afterKill + rowCount / 10);
  stopped.kill("SIGINT");
  expect(await left).toBe(130);
  expect(told).toMatch(
    new RegExp(`Stopped after \\d+ of ${rowCount} rows: \\d+ created, 0 updated, ${afterKill} the same, `),
  );
  const afterStop = Number(count.get());
  expect(afterStop).toBeLessThan(rowCount - badCount);

  const finished = await run("import", "customers", file, "--yes", "-o", "json");
  expect([finished.code, JSON.parse(finished.stdout)]).toMatchObject([
    2,
    { created: rowCount - badCount - afterStop, rejected: badCount, same: afterStop, updated: 0 },
  ]);
  expect(count.get()).toBe(rowCount - badCount);
  const rejects = readFileSync(`${file}.rejects.csv`, "utf8").trimEnd().split("\r\n");
  expect(rejects).toHaveLength(badCount + 1);
  expect(rejects[1]).toMatch(
    /^"country must be an ISO 3166-1 alpha-2 country code in capitals, like US\.",R-/,
  );

  const audit = store.prepare("select count(*) from audit").pluck();
  const listing = ["customers", "list", "--location", "1", "--all", "-o", "ndjson"];
  const before = [audit.get(), (await run(...listing)).stdout];
  const again = await run("import", "customers", file, "--yes", "-o", "json");
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
    2,
    { created: 0, rejected: badCount, same: rowCount - badCount, updated: 0 },
  ]);
  expect([audit.get(), (await run(...listing)).stdout]).toEqual(before);
  store.close();
}, 240_000);

function toCsv(): string {
  const rows = Array.from({ length: rowCount }, (_, index) => {
    const country = index % (rowCount / badCount) === 0 ? "Atlantis" : "US";
    return `R-${index},"Customer ${index}, Ltd",${index} Main St,Washington,DC,20001,${country},38.9,-77,Dana ${index}`;
  });
  const head =
    "reference_number,name,line_1,locality,region,postcode,country,latitude,longitude,contact_name";
  return `${[head, ...rows].join("\r\n")}\r\n`;
}
