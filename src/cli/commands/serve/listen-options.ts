import type { ListenOptions } from "../../../core/server-factory.ts";
import { parseTrustedProxies, type TrustedProxies } from "../../../core/trusted-proxies.ts";
import { failure } from "../../../errors/errors.ts";
import type { ConfigOption } from "../../configuration/config-option.ts";
import type { OptionValues } from "../../context.ts";
import { readTls } from "./read-tls.ts";

export const listenOptions: readonly ConfigOption[] = [
  {
    flags: "--socket <path>",
    about: "unix socket to listen on, instead of --host and --port",
    kind: "text",
    needsRestart: true,
  },
  {
    flags: "--socket-mode <mode>",
    about: "mode of the socket, which decides the users that can connect",
    kind: "number or text",
    parse: parseMode,
    fallback: "0660",
    needsRestart: true,
  },
  {
    flags: "--base-path <path>",
    about: "prefix of every path, such as /dispatch",
    kind: "text",
    parse: parseBasePath,
  },
  {
    flags: "--trusted-proxy <addresses>",
    about: "proxies that may name the client's address: addresses, ranges or unix, separated by commas",
    kind: "text",
    parse: parseTrustedProxies,
  },
  {
    flags: "--tls-cert <file>",
    about: "certificate with its chain (PEM); enables HTTPS",
    kind: "text",
    file: "readable",
  },
  {
    flags: "--tls-key <file>",
    about: "key of the certificate (PEM), readable by its owner only",
    kind: "text",
    file: "readable",
  },
];

/** Throws a usage error for unusable files. */
export function toListenOptions(options: OptionValues): ListenOptions {
  const { basePath, host, port, socket, socketMode, trustedProxy } = options;
  const tls = readTls(options);
  return {
    host: String(host),
    port: Number(port),
    basePath: String(basePath ?? ""),
    ...(socket !== undefined && { socket: { path: String(socket), mode: Number(socketMode) } }),
    ...(tls && { tls }),
    // The option's parser created this value.
    ...(trustedProxy !== undefined && { trustedProxies: trustedProxy as TrustedProxies }),
  };
}

function parseMode(text: string, name: string): number {
  const mode = /^0?[0-7]{3}$/.test(text) ? Number.parseInt(text, 8) : 0;
  // The server's own user must be able to connect.
  if ((mode & 0o200) !== 0) return mode;
  throw failure("usage", `${name} must be a mode like 0660 that lets its owner write, not "${text}".`);
}

function parseBasePath(text: string, name: string): string {
  const path = text.replace(/\/$/, "");
  if (path === "" || (/^(?:\/[\w.~-]+)+$/.test(path) && !/\/\.\.?(?:\/|$)/.test(path))) return path;
  throw failure(
    "usage",
    `${name} must be a path like /dispatch, of letters, digits and -._~ between slashes, not "${text}".`,
  );
}
