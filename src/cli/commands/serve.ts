import { Command } from "commander";
import { failure } from "../../errors.ts";
import { openService } from "../../open-service.ts";
import { toShownStore } from "../../store/postgres/address.ts";
import { addFormOption } from "../common-options.ts";
import { type OptionValues, readSettings, type Settings } from "../settings.ts";
import { storeOf } from "../target.ts";
import type { World } from "../world.ts";

/** Serves a store over HTTP until it is asked to end. */
export function serveCommand(world: World): Command {
  const command = new Command("serve")
    .description(
      "Serve a store over HTTP: the whole interface, for clients with tokens (`dispatch-cli tokens create`).",
    )
    .option("--data <store>", "the store to serve, a file or postgres://… (DISPATCH_DATA)")
    .option("--allow-hauler-signup", "let anybody sign up as a hauler (POST /haulers), without a token");
  addFormOption(addServeOptions(command)).addHelpText(
    "after",
    "\nExample:\n  dispatch-cli serve --port 8080",
  );
  return command.action(async () => {
    const options = command.opts();
    const settings = readSettings(world, options);
    await serveUntilInterrupted(world, settings, storeOf(settings).value, options, () => []);
  });
}

/** The options of everything that serves. */
export function addServeOptions(command: Command): Command {
  return command
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on, 0 for any free one", parsePort, 8080)
    .option("--no-deliver", "leave the outbox to other workers (`hooks deliver --watch`)")
    .option("--allow-private-hooks", "deliver to private addresses too, when listening on more than loopback")
    .option(
      "--font <file>",
      "font for documents; repeatable",
      (file: string, files: string[]) => [...files, file],
      [],
    )
    .option("--log-level <level>", `${logLevels.join(", ")}; by default warn on a terminal, else info`);
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw failure("usage", `--port must be a number from 0 to 65535, not "${text}".`);
}

/** Serves, says where on stdout, and returns when the program is asked to end and all running requests are answered. */
export async function serveUntilInterrupted(
  world: World,
  settings: Settings,
  data: string,
  options: OptionValues,
  toHints: (url: string) => string[],
): Promise<void> {
  const host = String(options.host);
  const service = openService({
    data,
    allowsHaulerSignup: options.allowHaulerSignup === true,
    allowsPrivateHooks: options.allowPrivateHooks === true || isLoopback(host),
    fonts: options.font as string[],
  });
  try {
    for (const note of await service.store.check()) world.stderr.write(`${note}\n`);
    const interrupted = new Promise<void>((resolve) => world.onInterrupt(resolve));
    const server = await world.http.startServer(service, {
      host,
      port: options.port as number,
      delivers: options.deliver !== false,
      logLevel: parseLogLevel(options.logLevel ?? (world.stderr.isTTY ? "warn" : "info")),
      log: { write: (line) => void world.stderr.write(line) },
    });
    if (settings.form === "table") {
      const lines = [
        `Serving ${toShownStore(data)} at ${server.url} (Ctrl-C ends it).`,
        "",
        ...toHints(server.url),
      ];
      world.stdout.write(lines.map((line) => `${line}\n`).join(""));
    } else world.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
    await interrupted;
    await server.close();
  } finally {
    await service.store.close();
  }
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

function parseLogLevel(level: unknown): string {
  if (logLevels.includes(String(level))) return String(level);
  throw failure("usage", `--log-level must be one of ${logLevels.join(", ")}, not "${level}".`);
}

/** A server that only this machine reaches may deliver to it (OP-71). */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
