import type { Command } from "commander";
import type { ListenOptions } from "../../../core/server-factory.ts";
import { parseTrustedProxies, type TrustedProxies } from "../../../core/trusted-proxies.ts";
import { failure } from "../../../errors/errors.ts";
import type { OptionValues } from "../../context.ts";
import { addLameDuckOption } from "../../outcome/drain.ts";
import { readTls } from "./read-tls.ts";

const socketModeDefault = 0o660;

/** Adds the options that say where a server is reached besides --host and --port, and through whom. */
export function addListenOptions(command: Command): Command {
  return addLameDuckOption(command)
    .option("--socket <path>", "unix socket to listen at, in place of --host and --port")
    .option("--socket-mode <mode>", "who may connect to it", parseMode, socketModeDefault)
    .option("--base-path <path>", "what stands before every path, such as /dispatch", parseBasePath, "")
    .option(
      "--trusted-proxy <addresses>",
      "addresses, ranges or unix, with commas: proxies that say who a client is",
      parseTrustedProxies,
    )
    .option("--tls-cert <file>", "certificate with its chain (PEM): HTTPS is spoken")
    .option("--tls-key <file>", "its key (PEM), which nobody else can read");
}

/** Where the options have a server listen, and how. Throws a usage error for files that it cannot use. */
export function toListenOptions(options: OptionValues): ListenOptions {
  const { basePath = "", host, port, socket, socketMode, trustedProxy } = options;
  const tls = readTls(options);
  return {
    host: String(host),
    port: Number(port),
    basePath: String(basePath),
    ...(socket !== undefined && { socket: { path: String(socket), mode: Number(socketMode) } }),
    ...(tls && { tls }),
    // The parser of the option made it.
    ...(trustedProxy !== undefined && { trustedProxies: trustedProxy as TrustedProxies }),
  };
}

function parseMode(text: string): number {
  const mode = /^0?[0-7]{3}$/.test(text) ? Number.parseInt(text, 8) : 0;
  // Its own user must be able to connect.
  if ((mode & 0o200) !== 0) return mode;
  throw failure("usage", `--socket-mode must be a mode like 0660 that lets its owner write, not "${text}".`);
}

function parseBasePath(text: string): string {
  const path = text.replace(/\/$/, "");
  if (path === "" || (/^(?:\/[\w.~-]+)+$/.test(path) && !/\/\.\.?(?:\/|$)/.test(path))) return path;
  throw failure(
    "usage",
    `--base-path must be a path like /dispatch, of letters, digits and -._~ between slashes, not "${text}".`,
  );
}
