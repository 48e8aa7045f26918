import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startBalancer as startOwn } from "../../bench/balancer.js";

/** A load balancer that sends requests to the ready servers behind it. */
interface Balancer {
  url: string;
  /** Waits until the balancer considers this many servers ready. */
  untilUp(count: number): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts a balancer that polls the readiness of servers on these ports. It is HAProxy if installed, unless
 * DISPATCH_TEST_HAPROXY=off, else one in this process.
 */
export function startBalancer(folder: string, ports: readonly string[]): Promise<Balancer> {
  const isOff = process.env.DISPATCH_TEST_HAPROXY === "off";
  return isOff || spawnSync("haproxy", ["-v"]).status !== 0 ? startOwn(ports) : startHaproxy(folder, ports);
}

async function startHaproxy(folder: string, ports: readonly string[]): Promise<Balancer> {
  const [port, figures] = [await findPort(), await findPort()];
  const servers = ports.map(
    (at, index) => `  server s${index} 127.0.0.1:${at} check inter 300ms fall 2 rise 1`,
  );
  const file = join(folder, "haproxy.cfg");
  const lines = [
    "defaults",
    "  mode http",
    "  timeout connect 5s\n  timeout client 30s\n  timeout server 30s",
    `frontend all\n  bind 127.0.0.1:${port}\n  default_backend servers`,
    `frontend figures\n  bind 127.0.0.1:${figures}\n  stats enable\n  stats uri /`,
    "backend servers\n  balance roundrobin\n  option httpchk GET /readyz\n  http-check expect status 200",
    ...servers,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  const countUp = async () => {
    const answer = await fetch(`http://127.0.0.1:${figures}/;csv`).catch(() => null);
    const rows = answer ? (await answer.text()).split("\n") : [];
    return rows.filter((row) => /^servers,s\d,.*,UP,/.test(row)).length;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    async untilUp(count) {
      for (let tries = 0; tries < 200; tries += 1) {
        if ((await countUp()) === count) return;
        await sleep(50);
      }
      throw new Error("The balancer does not see the servers.");
    },
    async end() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
