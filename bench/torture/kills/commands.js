// Kills commands: old data must stay, new data must be complete or absent, and the repeated command must finish the
// work.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demoStore } from "../../store.js";
import { findIll, mustRun, query, queryOne, runCommand } from "../stores.js";
import { judgeAcknowledged, judgeCopy, judgeInit, judgeTrucks } from "./judge.js";
import { strikeCommand } from "./strike.js";

const importedRows = 300;
const demoJobs = 300;
const createdEachRound = 3;

/**
 * The scenarios. `open` creates the input, and `round` kills the command once and returns what is wrong afterward.
 */
export const commandScenarios = [
  { name: "import", open: openTrucks, round: killImport },
  { name: "trucks, one command each", open: openTrucks, round: killCreate },
  { name: "backup", open: openDemo, round: killBackup },
  { name: "restore", open: openBackup, round: killRestore },
  { name: "store copy", open: openDemo, round: killCopy },
  { name: "export", open: openDemo, round: killExport },
  { name: "init", open: async () => ({}), round: killInit },
];

async function timed(argv) {
  const startedAt = performance.now();
  const wrongs = await mustRun(argv);
  if (wrongs.length > 0) throw new Error(wrongs[0]);
  return performance.now() - startedAt;
}

async function openTrucks({ fresh, folder }) {
  const data = await fresh("trucks.db");
  const spanMs = await timed(["init", "--tenant", "Acme", "--location", "Yard", "--data", data]);
  return { data, spanMs, file: join(folder, "trucks.csv"), created: [] };
}

async function compareTrucks(data, count) {
  const told = await queryOne(
    data,
    `select (select count(*) from trucks) as trucks, (select count(distinct name) from trucks) as names,
      (select count(*) from audit where record_type = 'Truck') as audit,
      (select count(*) from events where kind = 'Truck') as events`,
  );
  return judgeTrucks(told, count);
}

async function killImport(state, { number, strike }) {
  const { data, file } = state;
  const rows = Array.from({ length: importedRows }, (_, index) => `round ${number} truck ${index},note`);
  writeFileSync(file, ["name,notes", ...rows, ""].join("\n"));
  const argv = ["import", "trucks", file, "--location", "1", "--yes", "--data", data];
  state.imported = (state.imported ?? 0) + importedRows;
  const { point } = await strike(argv, state.spanMs * 3);
  const half = await compareTrucks(data);
  return {
    point,
    wrongs: [...half, ...(await mustRun(argv)), ...(await compareTrucks(data, state.imported))],
  };
}

async function killCreate(state, { number, strike }) {
  const { created, data, spanMs } = state;
  const wrongs = [];
  let point;
  for (let index = 0; index < createdEachRound; index++) {
    const name = `round ${number} truck ${index}`;
    const argv = ["trucks", "create", "--location", "1", "--name", name, "--data", data, "-o", "json"];
    const isLast = index === createdEachRound - 1;
    const told = isLast ? await strike(argv, spanMs) : await runCommand(argv);
    point = told.point;
    if (told.code === 0) created.push(JSON.parse(told.stdout).id);
    else if (!isLast) wrongs.push(`trucks create exits with ${told.code}: ${told.stderr}`);
  }
  const [rows] = await query(data, "select id from trucks");
  wrongs.push(...judgeAcknowledged(created, rows));
  return { point, wrongs: [...wrongs, ...(await compareTrucks(data))] };
}

async function openDemo({ fresh, folder, isFile }) {
  const { data: file } = demoStore(demoJobs);
  const data = isFile ? file : await fresh("demo.db");
  if (!isFile) await timed(["store", "copy", "--from", file, "--to", data]);
  return {
    data,
    folder,
    spanMs: await timed([
      "export",
      "jobs",
      "--tenant",
      "1",
      "--out",
      join(folder, "whole.csv"),
      "--data",
      data,
    ]),
  };
}

async function openBackup(world) {
  const state = await openDemo(world);
  const [plain, sealed] = ["kept.gz", "kept.gz.age"].map((name) => join(world.folder, name));
  const passphrase = join(world.folder, "passphrase.txt");
  writeFileSync(passphrase, randomBytes(16).toString("hex"), { mode: 0o600 });
  const key = ["--passphrase-file", passphrase];
  await timed(["backup", sealed, ...key, "--data", state.data]);
  const spanMs = await timed(["backup", plain, "--data", state.data]);
  return { ...state, backups: [[plain], [sealed, ...key]], spanMs };
}

async function killBackup({ data, folder, spanMs }, { fresh, drop, strike }) {
  const backup = join(folder, "b.gz");
  rmSync(backup, { force: true });
  const argv = ["backup", backup, "--yes", "--data", data];
  const { point } = await strike(argv, spanMs * 2);
  const check = async () => {
    const target = await fresh("from-backup.db");
    const wrongs = [
      ...(await mustRun(["restore", backup, "--data", target])),
      ...(await compareStores(data, target)),
    ];
    await drop(target);
    return wrongs;
  };
  const wrongs = existsSync(backup) ? await check() : [];
  return {
    point,
    wrongs: [...wrongs, ...(await mustRun(argv)), ...(await check()), ...(await findIll(data))],
  };
}

async function killRestore({ backups, data, spanMs }, { fresh, drop, isFile, number, strike }) {
  const target = await fresh("restored.db");
  const argv = ["restore", ...backups[number % backups.length], "--yes", "--data", target];
  const { point } = await strike(argv, spanMs);
  const wrongs = isFile && existsSync(target) ? await compareStores(data, target) : [];
  wrongs.push(...(await giveAgain(argv, data, target)), ...(await findIll(target)));
  await drop(target);
  return { point, wrongs };
}

/** Repeats a command. If it was killed after its last step, its work is done and it refuses the non-empty target. */
async function giveAgain(argv, from, to) {
  const { code, stderr } = await runCommand(argv);
  const wrongs = await compareStores(from, to);
  if (code === 0 || wrongs.length === 0) return wrongs;
  return [`${argv[0]} exits with ${code}: ${stderr.trim().slice(0, 300)}`, ...wrongs];
}

async function killCopy({ data, spanMs }, { fresh, drop, strike }) {
  const target = await fresh("copied.db");
  const argv = ["store", "copy", "--from", data, "--to", target];
  const { point } = await strike(argv, spanMs * 3);
  const wrongs = [...(await giveAgain(argv, data, target)), ...(await findIll(target))];
  await drop(target);
  return { point, wrongs };
}

async function compareStores(from, to) {
  const sql = `select ${["tenants", "users", "customers", "jobs", "audit", "events", "deliveries"]
    .map((table) => `(select count(*) from ${table}) as ${table}`)
    .join(", ")}`;
  const wanted = await queryOne(from, sql);
  const found = await queryOne(to, sql).catch((error) => ({ error }));
  if (found.error) return [`the copy cannot be read: ${found.error.message}`];
  return judgeCopy(wanted, found);
}

async function killExport({ data, folder, spanMs }, { strike }) {
  const out = join(folder, "jobs.csv");
  rmSync(out, { force: true });
  const argv = ["export", "jobs", "--tenant", "1", "--yes", "--out", out, "--data", data];
  const { point } = await strike(argv, spanMs);
  const whole = readFileSync(join(folder, "whole.csv"), "utf8");
  const compare = () =>
    readFileSync(out, "utf8") === whole ? [] : ["the export is not what it is without a kill"];
  const wrongs = existsSync(out) ? compare() : [];
  return { point, wrongs: [...wrongs, ...(await mustRun(argv)), ...compare()] };
}

async function killInit(_, { fresh, drop, strike }) {
  const data = await fresh("made.db");
  const argv = ["init", "--tenant", "Acme", "--location", "Yard", "--data", data];
  const killed = await strike(argv, 600);
  const again = await runCommand(argv);
  const { tenants } = await queryOne(data, "select count(*) as tenants from tenants");
  const wrongs = judgeInit(killed, again, tenants);
  wrongs.push(...(await findIll(data)));
  await drop(data);
  return { point: killed.point, wrongs };
}

/** Kills commands at points that the round's random numbers choose. */
export function toStrike(random, folder) {
  return (argv, spanMs) => strikeCommand(argv, { random, spanMs, folder });
}
