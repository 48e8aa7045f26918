import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";
import { readTokens } from "../../src/cli/commands/serve/metrics-options.ts";
import { serveOptions } from "../../src/cli/commands/serve/serve-options.ts";
import { toNames } from "../../src/cli/configuration/config-option.ts";
import { openService } from "../../src/core/open-service.ts";
import { parseTrustedProxies } from "../../src/core/trusted-proxies.ts";
import { startServer } from "../../src/http/serve.ts";
import { compile, makeFolder } from "../contract/generated.ts";
import { runCommand } from "../support/command-line.ts";
import { until } from "../support/eventually.ts";
import { findFreePort } from "../support/postgres-server.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { tlsFixture } from "../support/tls-fixture.ts";

const folder = useTempFolder();
const deploy = fileURLToPath(new URL("../../deploy/", import.meta.url));
const read = (file: string) => readFileSync(join(deploy, file), "utf8");
const readYaml = (file: string) =>
  parseAllDocuments(read(file)).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS();
  });

const [compose] = readYaml("compose.yaml");
const kinds = new Map(readYaml("kubernetes.yaml").map((manifest) => [manifest.kind, manifest]));
const pod = kinds.get("Deployment").spec.template;
const [container] = pod.spec.containers;
const lineOf = (file: string, start: RegExp) =>
  read(file)
    .split("\n")
    .flatMap((line) => (start.test(line) ? [line.replace(start, "")] : []));

const isInstalled = (program: string) => spawnSync(program, ["--version"]).error === undefined;
const run = (program: string, ...words: string[]) => {
  const { status, stderr, stdout } = spawnSync(program, words, {
    encoding: "utf8",
    env: { ...process.env, HOME: folder },
  });
  return { status, told: `${stdout}${stderr}` };
};

/** A process of a deployment: the arguments of the program and its environment. */
const starts: [file: string, words: readonly string[], env: Record<string, string>][] = [
  [
    "Dockerfile",
    lineOf("Dockerfile", /^CMD /).flatMap((line) => JSON.parse(line)),
    Object.fromEntries(
      lineOf("Dockerfile", /^ENV /).flatMap((line) => line.split(" ").map((pair) => pair.split("="))),
    ),
  ],
  ["compose.yaml", compose.services.serve.command, compose.services.serve.environment],
  [
    "kubernetes.yaml",
    container.args,
    { [container.env[0].name]: "postgres://dispatch:secret@database/dispatch" },
  ],
  ...lineOf("dispatch.service", /^Exec\w+=\/usr\/bin\/env dispatch-cli /).map(
    (line): [string, string[], Record<string, string>] => ["dispatch.service", line.split(" "), {}],
  ),
  ...["nginx.conf", "Caddyfile"].map((file): [string, string[], Record<string, string>] => {
    const [words = ""] = lineOf(file, /^#.* Start the server with: /);
    return [file, words.split(" "), { DISPATCH_DATA: "a.db" }];
  }),
];

describe("the files of deploy/", () => {
  it.each(starts)("%s starts the program with valid options and variables: %s", async (_, words, env) => {
    copyFileSync(join(deploy, "serve.yaml"), join(folder, "serve.yaml"));
    writeFileSync(join(folder, "metrics-token"), "0123456789abcdef", { mode: 0o600 });
    const argv = words.map((word) => word.replace("/etc/dispatch", folder));
    const { code, stderr, stdout } = await runCommand(
      [...argv.filter((word) => word !== "--print-config"), "--print-config", "-o", "json"],
      { env },
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/"port"[^}]*8080/);
  });

  it.each(readdirSync(deploy))("%s names no variable and no port that the program does not have", (file) => {
    const variables = serveOptions.map((option) => toNames(option).variable);
    const said = (pattern: RegExp) => [...read(file).matchAll(pattern)].map(([, word = ""]) => word);
    expect(said(/\b(DISPATCH_[A-Z_]+)/g).filter((word) => !variables.includes(word))).toEqual([]);
    const ports = said(/(?:[.\d]+\.\d+:|localhost:|containerPort: |EXPOSE |_PORT=|^port: )(\d{2,})/gm);
    expect(ports.filter((word) => !["8080", "9464"].includes(word))).toEqual([]);
  });

  it.each([
    // Compose replaces $$ by $.
    ["compose.yaml", compose.services.init.entrypoint, "[ $$? -eq 6 ]"],
    ["kubernetes.yaml", pod.spec.initContainers[0].command, "[ $? -eq 6 ]"],
  ])(
    "%s creates the first store by a command that works, and running it again is harmless",
    async (file, entry, exists) => {
      const [shell, flag, line] = entry;
      expect([shell, flag]).toEqual(["sh", "-c"]);
      const [command, otherwise] = line.split(" || ");
      expect(otherwise).toBe(exists);
      const env = { DISPATCH_DATA: join(folder, `${file}.db`) };
      const words = toWords(command.replace("dispatch-cli ", ""));
      expect((await runCommand(words, { env })).code).toBe(0);
      expect((await runCommand(words, { env })).code).toBe(6);
    },
  );

  it("kubernetes.yaml has only fields of the Kubernetes API, with their types", () => {
    const { path, remove } = makeFolder();
    onTestFinished(remove);
    const lines = Array.from(kinds, ([kind, manifest]) => {
      const [version = "", group = "core"] = manifest.apiVersion.split("/").reverse();
      const type = `import("kubernetes-types/${group.replace(".k8s.io", "")}/${version}").${kind}`;
      return `export const ${kind}: ${type} = ${JSON.stringify(manifest)};`;
    });
    writeFileSync(join(path, "manifests.ts"), lines.join("\n"));
    expect(compile(path)).toEqual([]);
  });

  it("kubernetes.yaml runs the same image with the same rights to create the store as to serve it", () => {
    const [init] = pod.spec.initContainers;
    for (const part of ["image", "env", "securityContext", "volumeMounts"])
      expect(init[part]).toEqual(container[part]);
  });

  it("kubernetes.yaml requires a token for the metrics, which podmonitor.yaml has, and whose file the program reads", async () => {
    const [monitor] = readYaml("podmonitor.yaml");
    const [endpoint] = monitor.spec.podMetricsEndpoints;
    const { name, key } = endpoint.authorization.credentials;
    const { secret } = pod.spec.volumes.find((volume: { name: string }) => volume.name === "metrics");
    const mount = container.volumeMounts.find((each: { name: string }) => each.name === "metrics");
    const [item] = secret.items;
    expect([secret.secretName, item.key, endpoint.port]).toEqual([name, key, container.ports[1].name]);
    const option = container.args.indexOf("--metrics-token-file") + 1;
    expect(container.args[option]).toBe(`${mount.mountPath}/${item.path}`);
    expect(monitor.spec.selector.matchLabels).toEqual(pod.metadata.labels);
    // The kubelet gives the file of root to the group of the pod.
    const file = join(folder, item.path);
    writeFileSync(file, "0123456789abcdef");
    chmodSync(file, secret.defaultMode);
    if (process.getuid?.() === 0) expect(readTokens(file)).toEqual(["0123456789abcdef"]);
  });

  it("give the program fewer rights than root, and more time to end than it needs", () => {
    const { spec } = pod;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(spec.enableServiceLinks).toBe(false);
    expect(container.env).toEqual([
      { name: "DISPATCH_DATA", valueFrom: { secretKeyRef: { name: "dispatch", key: "data" } } },
    ]);
    const seconds = (option: string) => Number(container.args[container.args.indexOf(option) + 1]);
    const ending = seconds("--lame-duck-seconds") + seconds("--drain-seconds");
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(ending + 5);
    expect(compose.services.serve).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(read("Dockerfile")).toMatch(/^USER node$/m);
    for (const kind of ["Deployment", "PodDisruptionBudget"])
      expect(kinds.get(kind).spec.selector.matchLabels).toEqual(pod.metadata.labels);
    for (const selector of [
      kinds.get("Service").spec.selector,
      kinds.get("NetworkPolicy").spec.podSelector.matchLabels,
    ])
      expect(selector).toEqual(pod.metadata.labels);
  });

  it("probe paths that the server answers", async () => {
    const { url } = await serve();
    const probes = [container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet.path);
    expect(probes).toEqual(["/readyz", "/healthz"]);
    for (const path of [...probes, ...lineOf("Caddyfile", /^\t\thealth_uri /)])
      expect((await fetch(`${url}${path}`)).status).toBe(200);
    const [check = "[]"] = lineOf("Dockerfile", /^HEALTHCHECK .* CMD /);
    const [program, ...words] = JSON.parse(check).map((word: string) =>
      word.replace("http://127.0.0.1:8080", url),
    );
    expect(program).toBe("dispatch-cli");
    expect((await runCommand(words, { env: { DISPATCH_DATA: "postgres://nowhere/x" } })).code).toBe(0);
  });
});

/** Only these programs can check their files; where one is missing, its test is skipped. */
describe("the files of deploy/, checked by the programs that read them", () => {
  it.runIf(isInstalled("caddy"))("Caddyfile, where caddy is installed", () => {
    const file = join(folder, "Caddyfile");
    copyFileSync(join(deploy, "Caddyfile"), file);
    expect(run("caddy", "validate", "--adapter", "caddyfile", "--config", file)).toMatchObject({ status: 0 });
  });

  it.runIf(isInstalled("systemd-analyze"))("dispatch.service, where systemd-analyze is installed", () => {
    expect(run("systemd-analyze", "verify", "--man=no", join(deploy, "dispatch.service"))).toEqual({
      status: 0,
      told: "",
    });
  });

  it.runIf(isInstalled("sh"))("postgres-role.sh, by the shell", () => {
    expect(run("sh", "-n", join(deploy, "postgres-role.sh"))).toEqual({ status: 0, told: "" });
  });

  it.runIf(isInstalled("nginx"))(
    "nginx.conf, where nginx is installed: clients cannot forge their address",
    async () => {
      const lines: string[] = [];
      const { url } = await serve((line) => lines.push(line));
      const port = await startNginx(new URL(url).port);
      const ask = async (path: string) => {
        const headers = {
          host: "dispatch.example.com",
          forwarded: "for=203.0.113.9;proto=http;host=elsewhere.example",
          "x-forwarded-for": "203.0.113.9",
        };
        const asked = request({ host: "127.0.0.1", port, path, headers, rejectUnauthorized: false }).end();
        const [answer] = await once(asked, "response");
        return { status: answer.statusCode, text: await text(answer) };
      };
      const { text: document } = await ask("/openapi.json");
      expect(JSON.parse(document).servers[0].url).toBe("https://dispatch.example.com");
      for (const path of ["/metrics", "/metrics/", "/%6detrics", "/metrics/?x"])
        expect(await ask(path), path).toMatchObject({ status: 404 });
      expect(lines.join("")).toContain('"client_ip":"127.0.0.1"');
      expect(lines.join("")).not.toContain("203.0.113.9");
    },
  );
});

/** Serves a new store that trusts this machine as its proxy. */
async function serve(write: (line: string) => void = () => {}) {
  const service = openService({ create: true, data: join(folder, `served-${Date.now()}.db`) });
  const server = await startServer(service, {
    delivers: false,
    host: "127.0.0.1",
    port: 0,
    log: { write },
    logLevel: "info",
    trustedProxies: parseTrustedProxies("127.0.0.1"),
  });
  onTestFinished(async () => {
    await server.close();
    await service.store.close();
  });
  return server;
}

/** Starts nginx in front of a local port; returns the port of nginx. */
async function startNginx(server: string): Promise<number> {
  const port = await findFreePort();
  const own = join(folder, "nginx");
  mkdirSync(own);
  chmodSync(own, 0o755);
  writeFileSync(join(own, "cert"), tlsFixture.cert);
  writeFileSync(join(own, "key"), tlsFixture.key, { mode: 0o600 });
  const site = read("nginx.conf")
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace("127.0.0.1:8080;", `127.0.0.1:${server};`)
    .replace("/etc/ssl/dispatch.pem", join(own, "cert"))
    .replace("/etc/ssl/dispatch.key", join(own, "key"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  );
  const http = ["access_log off;", ...temporary, site].join("\n");
  const file = join(own, "nginx.conf");
  writeFileSync(file, `daemon off;\nmaster_process off;\npid ${own}/pid;\nevents {}\nhttp {\n${http}\n}\n`);
  expect(run("nginx", "-t", "-e", "stderr", "-c", file)).toMatchObject({ status: 0 });
  const child = spawn("nginx", ["-e", "stderr", "-c", file], { stdio: "ignore" });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const asked = request(
        { host: "127.0.0.1", port, path: "/healthz", rejectUnauthorized: false },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode === 200);
        },
      );
      asked.once("error", () => resolve(false)).end();
    });
  await until(isUp);
  return port;
}
