import type { RateLimit } from "../../../core/server-factory.ts";
import { hooksPerTenantDefault } from "../../../core/service.ts";
import { DispatchError, failure } from "../../../errors/errors.ts";
import { logLevels } from "../../../runtime/log-line.ts";
import { isLoopback } from "../../../runtime/loopback.ts";
import { isPostgresAddress, parsePostgresAddress, toMaskedStore } from "../../../store/postgres/address.ts";
import { type ConfigOption, oneOf, wholeNumber } from "../../configuration/config-option.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { drainOption, lameDuckOption } from "../../outcome/drain.ts";
import { parseStore } from "../../settings.ts";
import { readKeyFile } from "../../target/read-secret-keys.ts";
import { listenOptions } from "./listen-options.ts";
import { readTokens } from "./metrics-options.ts";

const logFormats = ["text", "json"];

export const allowPrivateHooksOption: ConfigOption = {
  flags: "--allow-private-hooks",
  about: "deliver to private addresses too, despite the store's policy",
  kind: "flag",
};

export const serveOnlyOptions: readonly ConfigOption[] = [
  {
    flags: "--data <store>",
    about: "the store to serve, a file or postgres://… (DISPATCH_DATA)",
    kind: "text",
    parse: parseData,
    toShown: toMaskedStore,
    isSetting: true,
    needsRestart: true,
  },
  {
    flags: "--memory",
    about: "serve a sandbox store in memory, with the records of the demo; deleted at the end",
    kind: "flag",
    needsRestart: true,
  },
  {
    flags: "--no-demo",
    about: "with --memory: only a tenant and a location",
    kind: "flag",
    needsRestart: true,
  },
  {
    flags: "--secret-key-file <file>",
    about: "file of mode 0600 with the key of encrypted secrets",
    kind: "text",
    file: readKeyFile,
    isSetting: true,
  },
  {
    flags: "--workers <n>",
    about: "number of processes that serve at one address",
    kind: "number",
    parse: wholeNumber(1, 256),
    fallback: 1,
  },
  {
    flags: "--allow-hauler-signup",
    about: "let haulers sign up without a token (POST /haulers)",
    kind: "flag",
  },
];

export const servingOptions: readonly ConfigOption[] = [
  drainOption,
  lameDuckOption,
  ...listenOptions,
  {
    flags: "--host <address>",
    about: "address to listen on",
    kind: "text",
    fallback: "127.0.0.1",
    needsRestart: true,
  },
  {
    flags: "--port <n>",
    about: "port to listen on, 0 for any free one",
    kind: "number",
    parse: wholeNumber(0, 65_535),
    fallback: 8080,
    needsRestart: true,
  },
  {
    flags: "--reset-on <signal>",
    about: "reset a sandbox store to its initial records on this signal",
    kind: "text",
    choices: ["SIGUSR2"],
    needsRestart: true,
  },
  {
    flags: "--cache-mb <n>",
    about: "MiB of cached answers, 0 for none",
    kind: "number",
    parse: wholeNumber(0, 65_536),
    fallback: 64,
  },
  {
    flags: "--no-deliver",
    about: "send no deliveries; leave them to other workers (`hooks deliver --watch`)",
    kind: "flag",
  },
  allowPrivateHooksOption,
  {
    flags: "--hooks-per-tenant <n>",
    about: "maximum of active webhooks of a tenant",
    kind: "number",
    parse: wholeNumber(1, 999_999),
    fallback: hooksPerTenantDefault,
  },
  {
    flags: "--rate-limit <n>[/<burst>]",
    about:
      "requests a second for each token, and the burst; off for no limit (default 100/200, off on loopback)",
    kind: "number or text",
    parse: parseRateLimit,
    toFallback: defaultRateLimit,
  },
  {
    flags: "--metrics-token-file <file>",
    about: "file of mode 0600 with the tokens of scrapers, one per line; without it /metrics needs no token",
    kind: "text",
    file: readTokens,
  },
  {
    flags: "--metrics-port <n>",
    about: "separate port of /metrics; 0 for any free one",
    kind: "number",
    parse: wholeNumber(0, 65_535),
  },
  {
    flags: "--metrics-host <address>",
    about: "address of the separate port of /metrics",
    kind: "text",
    fallback: "127.0.0.1",
  },
  {
    flags: "--font <file>",
    about: "font for documents; repeatable",
    kind: "list",
    file: "readable",
  },
  {
    flags: "--log-level <level>",
    about: `${logLevels.join(", ")}; by default info`,
    kind: "text",
    parse: oneOf(logLevels),
    toFallback: () => "info",
  },
  {
    flags: "--slow-ms <n>",
    about:
      "log requests of at least this many milliseconds, with their statements and waits; 0 for every request",
    kind: "number",
    parse: wholeNumber(0, 3_600_000),
  },
  {
    flags: "--inspect",
    about:
      "keep headers and bodies of requests in memory, for Admins (`requests get`); always on for a sandbox store",
    kind: "flag",
  },
  {
    flags: "--log-format <form>",
    about: `form of the log: ${logFormats.join(" or ")}; by default text on a terminal, else json`,
    kind: "text",
    parse: oneOf(logFormats),
    toFallback: (_, { stderr }) => (stderr.isTTY ? "text" : "json"),
    needsRestart: true,
  },
];

/** --output and --profile configure the program, not the server. */
export const serveOptions: readonly ConfigOption[] = [...serveOnlyOptions, ...servingOptions];

function parseData(text: string, name: string, env?: CliContext["env"]): string {
  const store = parseStore(text, name);
  try {
    if (isPostgresAddress(store)) parsePostgresAddress(store, env);
    return store;
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    throw failure("usage", error.violations[0].detail.replace("--data", name), null, error);
  }
}

/** Parses `<n>` and `<n>/<burst>`; `off` is null. Throws a usage error. */
export function parseRateLimit(text: string, name: string): RateLimit | null {
  if (text === "off") return null;
  const [, perSecond = "0", burst] = /^(\d{1,6})(?:\/(\d{1,6}))?$/.exec(text) ?? [];
  const limit = { perSecond: Number(perSecond), burst: Number(burst ?? Number(perSecond) * 2) };
  if (limit.perSecond >= 1 && limit.burst >= 1) return limit;
  throw failure(
    "usage",
    `${name} must be requests a second, like 100, with a burst, like 100/200, or off, not "${text}".`,
  );
}

/** Only this machine reaches a server on loopback, so it has no limit unless it trusts a proxy. */
export function defaultRateLimit({ host, socket, trustedProxy }: OptionValues): string {
  return socket === undefined && trustedProxy === undefined && isLoopback(String(host)) ? "off" : "100/200";
}
