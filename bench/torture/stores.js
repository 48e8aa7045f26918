import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import SqliteDatabase from "better-sqlite3";
import { queryPostgres } from "../postgres.js";
import { program } from "../store.js";

/** Returns the rows of each query, across all tenants, without the program. */
export async function query(data, ...queries) {
  if (data.startsWith("postgres:")) return queryPostgres(data, queries);
  const connection = new SqliteDatabase(data, { readonly: true, timeout: 10_000 });
  try {
    return queries.map((sql) => connection.prepare(sql).all());
  } finally {
    connection.close();
  }
}

export async function queryOne(data, sql) {
  const [[row]] = await query(data, sql);
  return row;
}

/** Starts the program and reads its outputs to the end. */
export function startCommand(argv) {
  const child = spawn(process.execPath, [program, ...argv], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
    ([stdout, stderr, [code, signal]]) => ({ code, signal, stdout, stderr }),
  );
  return { child, ended };
}

/** Runs the program to its end. Returns its output and exit code. */
export function runCommand(argv) {
  return startCommand(argv).ended;
}

/** Runs a command that must succeed. Returns what is wrong. */
export async function mustRun(argv) {
  const { code, stderr } = await runCommand(argv);
  return code === 0
    ? []
    : [`${argv.slice(0, 2).join(" ")} exits with ${code}: ${stderr.trim().slice(0, 300)}`];
}

/** Returns the problems that `doctor --full` finds in a store. */
export async function findIll(data) {
  const { code, stdout, stderr } = await runCommand(["doctor", "--full", "--data", data]);
  const bad = stdout.split("\n").filter((line) => line.startsWith("BAD"));
  return code === 0 ? [] : [`doctor exits with ${code}: ${bad.join("; ") || stderr.trim().slice(0, 300)}`];
}
