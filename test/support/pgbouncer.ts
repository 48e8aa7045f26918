import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { findFreePort, type PostgresServer } from "./postgres-server.ts";

/** A PgBouncer in transaction mode in front of a PostgreSQL server. */
export interface PgBouncer {
  /** The given address, through PgBouncer. */
  address: string;
  stop(): Promise<void>;
}

/** The path of PgBouncer, or null if it is not installed or DISPATCH_TEST_PGBOUNCER=off. */
export function findPgBouncer(): string | null {
  const said = process.env.DISPATCH_TEST_PGBOUNCER ?? "";
  if (said === "off") return null;
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  const named = said === "" || said === "on" ? folders.map((folder) => join(folder, "pgbouncer")) : [said];
  const found = named.find(isProgram) ?? null;
  if (found === null && said !== "")
    throw new Error(`There is no PgBouncer: DISPATCH_TEST_PGBOUNCER=${said}`);
  return found;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a PgBouncer with default settings for all databases of a server and the address's user. `secret` is that
 * user's stored password: with it, connections skip the slow key derivation.
 */
export async function startPgBouncer(
  program: string,
  address: string,
  secret: string,
  runsAs: PostgresServer["runsAs"],
): Promise<PgBouncer> {
  const { hostname, port, username } = new URL(address);
  const folder = mkdtempSync(join(tmpdir(), "dispatch-pgbouncer-"));
  chmodSync(folder, 0o755);
  const own = await findFreePort();
  const users = join(folder, "users.txt");
  writeFileSync(users, `"${username}" "${secret}"\n`);
  const settings = {
    auth_file: users,
    auth_type: "scram-sha-256",
    listen_addr: "127.0.0.1",
    listen_port: own,
    max_client_conn: 1000,
    default_pool_size: 20,
    pool_mode: "transaction",
    // Its idle connections would prevent the copy of a database.
    server_idle_timeout: 2,
    unix_socket_dir: "",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    ["[databases]", `* = host=${hostname} port=${port}`, "[pgbouncer]", ...lines, ""].join("\n"),
  );
  // PgBouncer refuses to run as root.
  const asOther = process.getuid?.() === 0 ? runsAs : {};
  const child = spawn(program, ["-q", file], { ...asOther, stdio: "ignore" });
  await untilListening(child, own);
  const through = new URL(address);
  through.port = String(own);
  return {
    address: through.href,
    async stop() {
      if (child.exitCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  let failure: unknown;
  child.once("error", (error) => {
    failure = error;
  });
  for (let tries = 0; tries < 200; tries++) {
    if (failure !== undefined || child.exitCode !== null)
      throw new Error(`PgBouncer does not run: ${failure ?? child.exitCode}`);
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await setTimeout(25);
  }
  throw new Error("PgBouncer does not listen.");
}
