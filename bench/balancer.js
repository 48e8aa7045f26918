// A balancer that sends requests in turn to the servers whose /readyz is 200. It never sends a request twice.
import { once } from "node:events";
import { Agent, createServer, get, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const checkEveryMs = 200;
/** A server is up after one good probe, and down after this many failures. */
const failuresMax = 2;

/** Balances between servers on these ports of this machine. `untilUp` waits until that many are up. */
export async function startBalancer(ports) {
  const ending = new AbortController();
  const servers = ports.map((port) => ({
    port,
    failures: failuresMax,
    agent: new Agent({ keepAlive: true }),
  }));
  const up = () => servers.filter(({ failures }) => failures < failuresMax);
  const watch = async (server) => {
    while (!ending.signal.aborted) {
      server.failures = (await isReady(server.port)) ? 0 : server.failures + 1;
      await sleep(checkEveryMs, null, { signal: ending.signal }).catch(() => null);
    }
  };
  const watching = servers.map(watch);
  let turn = 0;
  const balancer = createServer((incoming, answer) => {
    const ready = up();
    const server = ready[turn++ % ready.length];
    if (server) passOn(server, incoming, answer);
    else answer.writeHead(503).end("no server is ready");
  });
  balancer.listen(0, "127.0.0.1");
  await once(balancer, "listening");
  return {
    url: `http://127.0.0.1:${balancer.address().port}`,
    async untilUp(count) {
      for (let tries = 0; tries < 400 && up().length !== count; tries += 1) await sleep(50);
      if (up().length !== count) throw new Error("The balancer does not see the servers.");
    },
    async end() {
      ending.abort();
      balancer.close();
      balancer.closeAllConnections();
      for (const { agent } of servers) agent.destroy();
      await Promise.all(watching);
    },
  };
}

function passOn({ agent, port }, incoming, answer) {
  const { headers, method, url: path } = incoming;
  const sent = request({ host: "127.0.0.1", port, method, path, headers, agent }, (got) => {
    const { connection: _, "keep-alive": __, ...others } = got.headers;
    answer.writeHead(got.statusCode, others);
    got.pipe(answer);
    got.on("error", () => answer.destroy());
  });
  sent.on("error", (error) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end(`not passed on: ${error.message}`);
  });
  incoming.pipe(sent);
}

function isReady(port) {
  return new Promise((resolve) => {
    const asked = get({ host: "127.0.0.1", port, path: "/readyz", agent: false, timeout: 2000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(false));
  });
}
