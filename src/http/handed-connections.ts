import type { Worker } from "node:cluster";

/**
 * Closes what is left of a connection that was handed to a process which died before it took it. Node.js keeps such a
 * connection open for ever: whoever dialled it would wait for an answer that nobody is going to give.
 */
export function closeUntakenConnections(worker: Worker): void {
  const { process: child } = worker;
  const untaken = new Map<number, { close(): void }>();
  // A process that could not be made has no channel.
  const send: typeof child.send | undefined = child.send?.bind(child);
  if (!send) return;
  // The processes talk by messages that have a number each; the answer to one names it.
  child.send = ((message: Numbered, handle?: { close?(): void }, ...others: unknown[]) => {
    // Where the system shares out connections, it is the socket itself that is handed, and serves the other processes.
    const isConnection = message.act === "newconn";
    if (isConnection && message.seq !== undefined && typeof handle?.close === "function")
      untaken.set(message.seq, handle as { close(): void });
    return (send as (...sent: unknown[]) => boolean)(message, handle, ...others);
  }) as typeof child.send;
  child.on("internalMessage", ({ ack }: { ack?: number }) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  worker.once("exit", () => {
    for (const handle of untaken.values()) handle.close();
    untaken.clear();
  });
}

interface Numbered {
  act?: string;
  seq?: number;
}
