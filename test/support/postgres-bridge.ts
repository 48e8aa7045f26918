import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

export interface Statement {
  sql: string;
  values?: readonly (string | number | null)[];
}

type PostgresRow = Record<string, unknown>;

let started: { signal: Int32Array; worker: Worker } | undefined;
let asked = 0;

/**
 * Runs statements one after another and blocks until their rows arrive, as SQLite does. With `leave` it closes the
 * connection afterwards. A single other thread, which does not keep the process alive, runs them all.
 */
export function runOnPostgres(
  address: string,
  statements: readonly Statement[],
  leave = false,
): PostgresRow[][] {
  started ??= start();
  const { signal, worker } = started;
  // Number the questions: the answer to an abandoned one still arrives.
  asked += 1;
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ address, asked, leave, port: port2, statements }, [port2]);
  for (let said = Atomics.load(signal, 0); said !== asked; said = Atomics.load(signal, 0))
    if (Atomics.wait(signal, 0, said, 60_000) === "timed-out")
      throw new Error("PostgreSQL did not answer in a minute.");
  const said = receiveMessageOnPort(port1)?.message as { error?: string; results: PostgresRow[][] };
  port1.close();
  if (said.error !== undefined) throw new Error(said.error);
  return said.results;
}

function start() {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./postgres-look-out.js", import.meta.url), { workerData: signal });
  worker.unref();
  return { signal, worker };
}
