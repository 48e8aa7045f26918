import { PassThrough, type Readable, type Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpService } from "../../../mcp/mcp-service.ts";
import type { CliContext } from "../../context.ts";

/** Serves on standard input and output until input ends or an interrupt, and answers all calls before that. */
export async function serveInput(
  { createServer, running }: McpService,
  { onInterrupt, stdin, stdout }: Pick<CliContext, "onInterrupt" | "stdin" | "stdout">,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    onInterrupt(resolve);
  });
  // The transport aborts running calls when its input ends, so its input stays open. The types of the context have all
  // that is used.
  const lines = (stdin as Readable).pipe(new PassThrough(), { end: false });
  const connection = serveStdio(createServer, {
    transport: new StdioServerTransport(lines, stdout as Writable),
  });
  await ended;
  // A call begins some ticks after its line was read; its answer is sent one tick after it is done.
  await setImmediate();
  await Promise.allSettled(running);
  await setImmediate();
  await connection.close();
}
