import { generateKeyPairSync } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { serveForm } from "../../src/cli/commands/serve/serve.ts";
import { serveOptions } from "../../src/cli/commands/serve/serve-options.ts";
import { configOption, isNegated, toNames, toOption } from "../../src/cli/configuration/config-option.ts";
import {
  type Configuration,
  readConfiguration,
  toGivenFile,
} from "../../src/cli/configuration/read-configuration.ts";
import type { CliContext } from "../../src/cli/context.ts";
import { generalOptionNames } from "../../src/cli/general-options.ts";
import { loadWholeTree, runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { tlsFixture } from "../support/tls-fixture.ts";

const folder = useTempFolder();
const file = join(folder, "serve.yaml");

interface Shown {
  value: unknown;
  from: string;
}

/** Returns what `serve --print-config` prints for a file, a command line, and an environment. */
async function print(text: string, words: readonly string[] = [], env: Record<string, string> = {}) {
  writeFileSync(file, text, { mode: 0o600 });
  return runCommand(["serve", "--config", file, "--print-config", ...words], { env });
}

async function valuesOf(text: string, words: readonly string[] = [], env: Record<string, string> = {}) {
  const { stderr, stdout } = await print(text, [...words, "-o", "json"], env);
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Record<string, Shown>;
}

/** Returns the error lines, without the file's folder. */
async function faultsOf(text: string, words: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stderr, stdout } = await print(text, words, env);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  return stderr.replaceAll(`${folder}/`, "").match(/(?<=why: ).*/g);
}

describe("the configuration of serve", () => {
  it("prefers an option to its variable, the variable to the file, and the file to the default", async () => {
    const text = "port: 1\nhost: 10.0.0.1\nworkers: 3\nrate_limit: 20\n";
    const env = { DISPATCH_PORT: "2", DISPATCH_HOST: "10.0.0.2", DISPATCH_LOG_LEVEL: "" };
    expect(await valuesOf(text, ["--port", "3"], env)).toMatchObject({
      port: { value: 3, from: "--port" },
      host: { value: "10.0.0.2", from: "DISPATCH_HOST" },
      workers: { value: 3, from: `${file}:3` },
      rate_limit: { value: "20", from: `${file}:4` },
      log_level: { value: "info", from: "default" },
    });
  });

  it("has a variable and a key for every option of serve, and no others", async () => {
    const serve = (await loadWholeTree()).commands.find((command) => command.name() === "serve");
    const own = (serve?.options ?? []).map(({ long }) => long ?? "");
    const others = ["--config", "--print-config", ...generalOptionNames.map((name) => `--${name}`)];
    const names = serveOptions.map(toNames);
    expect(names.map(({ option }) => option).sort()).toEqual(
      [...own.filter((option) => !others.includes(option)), "--data", "--secret-key-file"].sort(),
    );
    const { stdout } = await print("", ["-o", "json"]);
    expect(Object.keys(JSON.parse(stdout))).toEqual(names.map(({ key }) => key));
  });

  it("has a row in docs/operations/configuration.md for every option (npm run record)", async () => {
    const page = join(import.meta.dirname, "../../docs/operations/configuration.md");
    const rows = serveOptions.map((option) => {
      const { key, variable } = toNames(option);
      const initially = option.fallback ?? (option.kind === "flag" ? isNegated(option.flags) : "");
      const when = option.needsRestart ? "restart" : "SIGHUP";
      return `| \`${option.flags}\` | ${variable} | \`${key}\` | ${initially} | ${when} | ${option.about} |`;
    });
    const head = "| Option | Variable | Key | Default | A change counts from | |\n|---|---|---|---|---|---|";
    const text = readFileSync(page, "utf8").replace(
      /(?<=^<!-- options: .*-->\n)[\s\S]*?(?=^<!-- end of options -->)/m,
      `${[head, ...rows].join("\n")}\n`,
    );
    await expect(text).toMatchFileSnapshot(page);
  });

  it("accepts negated options without `no`, and lists as lists, in the file and in variables", async () => {
    const [a, b] = ["a.ttf", "b c.ttf"].map((name) => {
      writeFileSync(join(folder, name), "");
      return join(folder, name);
    });
    expect(await valuesOf(`deliver: false\nfont:\n  - ${a}\n  - ${b}\n`)).toMatchObject({
      deliver: { value: false },
      font: { value: [a, b] },
    });
    const env = { DISPATCH_DELIVER: "0", DISPATCH_ALLOW_PRIVATE_HOOKS: "TRUE", DISPATCH_FONT: `${a},${b}` };
    expect(await valuesOf("", [], env)).toMatchObject({
      allow_private_hooks: { value: true, from: "DISPATCH_ALLOW_PRIVATE_HOOKS" },
      deliver: { value: false, from: "DISPATCH_DELIVER" },
      font: { value: [a, b], from: "DISPATCH_FONT" },
    });
  });

  it("reports every mistake at once, with line and column, and repeats no value that may be a secret", async () => {
    const text = [
      "port: http",
      "hots: 127.0.0.1",
      "rate-limit: 5",
      "workers: 0",
      "no_deliver: true",
      "deliver: no",
      "host: [127.0.0.1]",
      "port: 80",
      "drain_seconds:",
      "postgres://u:hidden@h/db: x",
      "secret_key_file: /nowhere",
      "cache_mb: '64'",
      "data: mysql://u:hidden@h/db",
      "rate_limit: 5/",
      "slow: &a 1",
    ].join("\n");
    expect(
      await faultsOf(text, ["--log-level", "loud"], { DISPATCH_LOG_FORMAT: "xml" }),
    ).toMatchInlineSnapshot(`
      [
        "--log-level must be one of fatal, error, warn, info, debug, trace, silent, not "loud".",
        "DISPATCH_LOG_FORMAT must be one of text, json, not "xml".",
        "serve.yaml:1:7: port must be a number.",
        "serve.yaml:2:1: unknown key hots. Did you mean host?",
        "serve.yaml:3:1: unknown key rate-limit. Did you mean rate_limit?",
        "serve.yaml:4:10: workers must be a number from 1 to 256, not "0".",
        "serve.yaml:5:1: unknown key no_deliver. Write \`deliver: false\`.",
        "serve.yaml:6:10: deliver must be true or false.",
        "serve.yaml:7:7: host must be a text.",
        "serve.yaml:8:1: duplicate key port; the first is at serve.yaml:1.",
        "serve.yaml:9:15: drain_seconds has no value: write one, or leave the line out.",
        "serve.yaml:10:1: expected a line like \`port: 8080\`.",
        "serve.yaml:11:18: secret_key_file: /nowhere cannot be read: there is no such file.",
        "serve.yaml:12:11: cache_mb must be a number.",
        "serve.yaml:13:7: data must be a file or postgres://…, not mysql://…. For a server use --url.",
        "serve.yaml:14:13: rate_limit must be requests a second, like 100, with a burst, like 100/200, or off, not "5/".",
        "serve.yaml:15:10: anchors (&) and aliases (*) are not supported.",
      ]
    `);
  });

  it.each([
    ['port: [[\n\tx: "hidden', /^serve\.yaml:\d:\d: invalid YAML: [^:]*\.$/],
    ["just text", /^serve\.yaml:1:1: expected lines like `port: 8080`\.$/],
    ["port: 1\n---\nport: 2\n", /^serve\.yaml:2:1: invalid YAML: Source contains multiple documents\.$/],
    [`port: ${"[".repeat(30_000)}`, /^serve\.yaml is not a configuration file: it is nested too deeply\.$/],
    [`port: ${"- ".repeat(30_000)}`, /^serve\.yaml is not a configuration file: it is nested too deeply\.$/],
    [`# ${"x".repeat(70_000)}`, /^serve\.yaml is not a configuration file: it is larger than 64 KiB\.$/],
    ["port: \u0000", /^serve\.yaml/],
  ])("refuses %j as a whole", async (text, sentence) => {
    const faults = await faultsOf(text);
    expect(faults).toEqual([expect.stringMatching(sentence)]);
    expect(faults?.join()).not.toContain("hidden");
  });

  it("refuses a file that other users can change, or can read if it contains a secret", async () => {
    const modes = async (text: string, mode: number) => {
      writeFileSync(file, text);
      chmodSync(file, mode);
      const { code, stderr } = await runCommand(["serve", "--config", file, "--print-config"]);
      return { code, said: /why: .*? (is not used: [^.]*)\./.exec(stderr)?.[1] };
    };
    const secret = "data: postgres://u:hidden@h/db\n";
    expect(await modes("port: 1\n", 0o644)).toEqual({ code: 0, said: undefined });
    expect(await modes(secret, 0o640)).toEqual({ code: 0, said: undefined });
    expect(await modes("port: 1\n", 0o646)).toEqual({
      code: 2,
      said: "is not used: every user can change it",
    });
    expect(await modes(secret, 0o644)).toEqual({
      code: 2,
      said: "is not used: it holds a secret (data), and every user can read it",
    });
    chmodSync(file, 0o600);
  });

  it("masks its secrets, and prints an equivalent configuration as YAML", async () => {
    const env = { DISPATCH_DATA: "postgres://u:hidden@h/db?password=hidden" };
    const shown = await print("rate_limit: 20/50\ndeliver: false\nlog_level: warn\n", [], env);
    expect(shown.stdout.replaceAll(`${folder}/`, "")).toMatchInlineSnapshot(`
      "data                 postgres://u:***@h/db?password=***  DISPATCH_DATA
      memory               false                               default
      demo                 true                                default
      secret_key_file      –                                   default
      workers              1                                   default
      allow_hauler_signup  false                               default
      drain_seconds        10                                  default
      lame_duck_seconds    0                                   default
      socket               –                                   default
      socket_mode          0660                                default
      base_path            –                                   default
      trusted_proxy        –                                   default
      tls_cert             –                                   default
      tls_key              –                                   default
      host                 127.0.0.1                           default
      port                 8080                                default
      reset_on             –                                   default
      cache_mb             64                                  default
      deliver              false                               serve.yaml:2
      allow_private_hooks  false                               default
      hooks_per_tenant     100                                 default
      rate_limit           20/50                               serve.yaml:1
      metrics_token_file   –                                   default
      metrics_port         –                                   default
      metrics_host         127.0.0.1                           default
      font                 –                                   default
      log_level            warn                                serve.yaml:3
      slow_ms              –                                   default
      inspect              false                               default
      log_format           json                                default
      "
    `);
    const yaml = await print("rate_limit: 20/50\ndeliver: false\n", ["-o", "yaml", "--port", "0"], env);
    expect(`${shown.stdout}${yaml.stdout}`).not.toContain("hidden");
    const again = await valuesOf(yaml.stdout, [], env);
    expect(again).toMatchObject({
      rate_limit: { value: "20/50" },
      deliver: { value: false },
      port: { value: 0 },
    });
  });

  it("is refused before anything starts if its certificate and key do not match", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    writeFileSync(join(folder, "cert.pem"), tlsFixture.cert);
    writeFileSync(join(folder, "key.pem"), privateKey.export({ format: "pem", type: "pkcs8" }), {
      mode: 0o600,
    });
    const text = `tls_cert: ${join(folder, "cert.pem")}\ntls_key: ${join(folder, "key.pem")}\n`;
    expect(await faultsOf(text)).toEqual([
      "--tls-key key.pem is not the key of the certificate in cert.pem.",
    ]);
  });

  it("reports variables that nearly match ours, and the look-alikes that Kubernetes sets", async () => {
    const { stderr } = await print("", [], {
      DISPATCH_RATELIMIT: "5",
      DISPATCH_URL: "http://x",
      DISPATCH_AS: "y",
    });
    expect(stderr).toBe("Unknown variable DISPATCH_RATELIMIT. Did you mean DISPATCH_RATE_LIMIT?\n");
    expect(await faultsOf("", [], { DISPATCH_PORT: "tcp://10.0.0.1:80" })).toEqual([
      expect.stringContaining("enableServiceLinks: false"),
    ]);
  });

  it("is the file in DISPATCH_CONFIG, unless that is the folder of profiles", async () => {
    writeFileSync(file, "port: 7\n");
    const run = async (name: string) => {
      const { code, stdout, stderr } = await runCommand(["serve", "--print-config"], {
        env: { DISPATCH_CONFIG: name },
      });
      return code === 0 ? /^port +(\d+)/m.exec(stdout)?.[1] : stderr;
    };
    expect(await run(file)).toBe("7");
    expect(await run(folder)).toBe("8080");
    expect(await run(join(folder, "other.yml"))).toContain("other.yml cannot be read: there is no such file");
  });
});

describe("a configuration that is reloaded", () => {
  const key = join(folder, "secret.key");
  const context = { env: { DISPATCH_CACHE_MB: "1" }, stderr: {} } as unknown as CliContext;

  async function start(text: string, words: readonly string[] = []) {
    writeFileSync(key, `${"A".repeat(43)}=\n`, { mode: 0o600 });
    writeFileSync(file, text, { mode: 0o600 });
    const command = new Command().addOption(configOption());
    for (const option of serveOptions) command.addOption(toOption(option));
    command.parse(["--config", file, ...words], { from: "user" });
    return readConfiguration(context, command, serveForm);
  }

  async function change(before: Configuration, text: string) {
    writeFileSync(file, text);
    return before.reread();
  }

  it("uses the current content of the file and of the files that it names, and reports the changes", async () => {
    const text = `rate_limit: 20/50\nsecret_key_file: ${key}\nlog_level: info\ncache_mb: 2\n`;
    const before = await start(text, ["--log-level", "warn"]);
    expect(await before.reread()).toMatchObject({ changes: [], refusals: [], options: before.options });
    writeFileSync(key, `${"B".repeat(43)}=\n`);
    const now = await change(
      before,
      text.replace("20/50", "off").replace("info", "debug").replace("2\n", "3\n"),
    );
    expect(now.options).toMatchObject({ rateLimit: null, logLevel: "warn", cacheMb: 1 });
    expect(now.refusals).toEqual([]);
    expect(now.changes.map((line) => line.replaceAll(`${folder}/`, ""))).toEqual([
      "The file of secret_key_file has changed: secret.key.",
      "rate_limit is off, was 20/50 (serve.yaml:1).",
    ]);
  });

  it("keeps the values that require a restart, also in restarted processes", async () => {
    const before = await start("port: 8081\ndata: postgres://u:old@h/a\nrate_limit: 5\n");
    const now = await change(before, "host: 0.0.0.0\ndata: postgres://u:new@h/a\nrate_limit: 6\n");
    expect(now.options).toMatchObject({
      ...{ host: "127.0.0.1", port: 8081, data: "postgres://u:new@h/a" },
      rateLimit: { perSecond: 6, burst: 12 },
    });
    expect([...now.changes, ...now.refusals].map((line) => line.replaceAll(`${folder}/`, ""))).toEqual([
      "data has a new secret (serve.yaml:2).",
      "rate_limit is 6, was 5 (serve.yaml:3).",
      "host stays 127.0.0.1; 0.0.0.0 (serve.yaml:1) takes effect after a restart.",
      "port stays 8081; no value takes effect after a restart.",
    ]);
    writeFileSync(file, "half a li");
    const forked = { ...context, env: { ...context.env, ...toGivenFile(now) } };
    const command = new Command().addOption(configOption());
    for (const option of serveOptions) command.addOption(toOption(option));
    command.parse(["--config", file], { from: "user" });
    expect((await readConfiguration(forked, command, serveForm)).options).toEqual(now.options);
  });

  it("is refused as a whole if any value is invalid", async () => {
    const text = "rate_limit: 5\nreset_on: SIGUSR2\n";
    const before = await start(text);
    await expect(change(before, `${text}port: x\n`)).rejects.toThrow("port must be a number");
    await expect(change(before, `${text}workers: 2\n`)).rejects.toThrow("--reset-on needs a single process");
    expect((await change(before, text.replace("5", "7"))).changes).toHaveLength(1);
  });
});
