import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram, serveStore } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const count = 1_500;

/** The length of a listener's queue; unknown on systems other than Linux. */
function readWaitingMax(): number {
  try {
    return Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));
  } catch {
    return 0;
  }
}

describe("connections to a busy server", () => {
  it("wait to be accepted, more than a thousand of them, and no client retries", async ({ skip }) => {
    if (readWaitingMax() < count) skip("This system keeps fewer connections waiting.");
    const data = join(folder, "busy.db");
    await runProgram(["init", "--data", data, "--tenant", "Acme"]);
    const server = await serveStore(data, []);
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.child.kill("SIGKILL");
    });
    server.child.kill("SIGSTOP");
    try {
      const connected = Array.from({ length: count }, () => {
        const socket = connect(Number(port), hostname);
        sockets.push(socket);
        return once(socket, "connect");
      });
      // A refused client retries after a second, and a stopped server refuses it again.
      const all = Promise.all(connected).then(() => "all");
      expect(await Promise.race([all, sleep(20_000, "not all")])).toBe("all");
    } finally {
      server.child.kill("SIGCONT");
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect(await server.end()).toBe(0);
  });
});
