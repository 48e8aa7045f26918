import type { Worker } from "node:cluster";

/**
 * Closes what is left of a connection that was handed to a process which died before it took it. Node.js keeps such a
 * connection open for ever: whoever dialled it would wait for an answer that nobody is going to give.
 */
export function closeUntakenConnections({ process: child }: Worker): void {
  const untaken = new Map<number, { close(): void }>();
  // A process that could not be made has no channel.
  const send: typeof child.send | undefined = child.send?.bind(child);
  if (!send) return;
  // The processes talk by messages that have a number each; the answer to one names it.
  child.send = ((message: Internal, handle?: { close(): void }, ...others: unknown[]) => {
    // What else is handed over, such as the socket that all listen at, stays this process's.
    if (message.act === "newconn" && message.seq !== undefined && handle) untaken.set(message.seq, handle);
    return (send as (...sent: unknown[]) => boolean)(message, handle, ...others);
  }) as typeof child.send;
  child.on("internalMessage", ({ ack }: { ack?: number }) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  // Answers may still be on their way when it has exited. Its channel does not always tell that it is closed.
  child.once("exit", () => {
    const close = () => {
      for (const handle of untaken.values()) handle.close();
      untaken.clear();
    };
    setTimeout(close, lastAnswersMs).unref();
  });
}

const lastAnswersMs = 500;

/** A message of node:cluster. */
interface Internal {
  act?: string;
  seq?: number;
}
