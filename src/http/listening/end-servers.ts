import type { Server } from "node:http";
import { stopListening } from "./listener.ts";

const lookMs = 50;

/**
 * Makes what ends servers: they accept nothing more, and it resolves when their connections are gone. A connection on which
 * nothing runs is left for `idleMs`. Called again, it makes that time shorter, never longer.
 */
export function createEnding(servers: readonly Server[]): (idleMs: number) => Promise<void> {
  let idleUntilMs = Number.POSITIVE_INFINITY;
  let ended: Promise<void> | undefined;
  // A connection whose request was under way stays open once that is answered, for as long as its client keeps it.
  const closeIdle = () => {
    if (performance.now() < idleUntilMs) return;
    for (const server of servers) server.closeIdleConnections();
  };
  const end = async () => {
    const looking = setInterval(closeIdle, lookMs);
    await Promise.all(
      servers.map((server) => new Promise<void>((resolve) => stopListening(server, resolve))),
    );
    clearInterval(looking);
    // Ends what node:http does for a server that is open.
    for (const server of servers) server.close();
  };
  return (idleMs) => {
    idleUntilMs = Math.min(idleUntilMs, performance.now() + idleMs);
    ended ??= end();
    closeIdle();
    return ended;
  };
}
