import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { startServer } from "../../src/http/serve.ts";
import type { Harness } from "../support/harness.ts";
import { findFreePort } from "../support/postgres-server.ts";
import { parseScrape } from "../support/scrape.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";
import { tlsFixture } from "../support/tls-fixture.ts";

const folder = new URL("../../docs/operations/", import.meta.url);
const read = (name: string) => readFileSync(fileURLToPath(new URL(name, folder)), "utf8");

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}

interface Dashboard {
  panels: Panel[];
  templating: { list: { name: string; type: string; query: unknown }[] };
}

interface Alert {
  alert: string;
  expr: string;
  annotations: { runbook: string; summary: string };
}

const dashboard = JSON.parse(read("dashboard.json")) as Dashboard;
const alerts = (parse(read("alerts.yaml")) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);

const queries = [
  ...dashboard.panels.flatMap(({ targets = [], title }) =>
    targets.map(({ expr }) => ({ from: title, expr })),
  ),
  ...alerts.map(({ alert, expr }) => ({ from: alert, expr })),
];

interface Selector {
  name: string;
  matchers: { label: string; isEqual: boolean; value: string }[];
}

/** Reads a query as Prometheus does. Throws for an invalid query. */
function readQuery(query: string): { selectors: Selector[]; grouping: string[] } {
  // Grafana replaces its variables like this.
  const expr = query.replaceAll("$__rate_interval", "5m");
  const selectors: Selector[] = [];
  const grouping: string[] = [];
  parser.parse(expr).iterate({
    enter({ name, node, type }) {
      const text = expr.slice(node.from, node.to);
      if (type.isError) throw new Error(`No query at ${node.from}: ${query}`);
      if (name === "VectorSelector") selectors.push(readSelector(text));
      if (name === "GroupingLabels") grouping.push(...(text.match(/\w+/g) ?? []));
    },
  });
  return { selectors, grouping };
}

function readSelector(text: string): Selector {
  const [name = ""] = /^\w+/.exec(text) ?? [];
  const matchers = [...text.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
    ([, label = "", sign, value = ""]) => ({ label, isEqual: sign === "=", value }),
  );
  return { name, matchers };
}

/** Metrics of Prometheus, of the exporters of machines and PostgreSQL, and of the folder of backups. */
const isForeign = ({ name }: Selector) => /^(?:up$|node_|pg_|dispatch_backup_)/.test(name);

/** Prometheus adds these labels. */
const ofPrometheus = ["instance", "job"];

/** Every metric with its label values, from a healthy server and from a TLS server whose store does not answer. */
async function readFigures(like: Harness) {
  const harness = await freshHarness(like);
  const never = () => new Promise<never>(() => undefined);
  const { service } = harness;
  const hung = { ...service.store, backlog: { ...service.store.backlog, oldestPendingDelivery: never } };
  await service.store.secretForms.mark("0123456789abcdef", service.clock.now());
  const params = { location_id: harness.acme.locationId };
  await harness.ok("trucks.create", { params, body: { name: "Truck 1" } });
  const figures = new Map<string, Map<string, Set<string>>>();
  const helps = new Map<string, string>();
  const port = await findFreePort();
  const servers = [
    { address: null, served: service },
    { address: { host: "127.0.0.1", port }, served: { ...service, store: hung }, tls: tlsFixture },
  ];
  for (const { address, served, ...security } of servers) {
    const options = {
      delivers: false,
      host: "127.0.0.1",
      log: { write: () => undefined },
      logLevel: "silent",
    };
    const metrics = { address, isLocal: true, tokens: () => null };
    const server = await startServer(served, { ...options, ...security, metrics, port: 0 }, process);
    onTestFinished(() => server.close(0));
    if (!address) await (await fetch(`${server.url}/jobs`)).text();
    const place = address ? `http://127.0.0.1:${port}` : server.url;
    let text = "";
    const scrape = async () => {
      text = await (await fetch(`${place}/metrics`)).text();
      return text;
    };
    // On a busy machine, the first scrape does not wait for the count of the backlog.
    if (address) await scrape();
    else await expect.poll(scrape).toContain("dispatch_outbox_pending");
    for (const [, name = "", help = ""] of text.matchAll(/^# HELP (\w+) (.*)$/gm)) {
      helps.set(name, help);
      if (!figures.has(name)) figures.set(name, new Map());
    }
    for (const { labels, name } of parseScrape(text)) {
      const known = figures.get(name) ?? new Map<string, Set<string>>();
      figures.set(name, known);
      for (const [label, value] of Object.entries(labels))
        known.set(label, new Set([...(known.get(label) ?? []), value]));
    }
  }
  return { figures, helps };
}

describeOverHttp("the files for Grafana and Prometheus", (like) => {
  it("query only metrics that a server has, with existing labels and states", async () => {
    const { figures } = await readFigures(like);
    // These labels have any code or status as their value.
    const open = ["code", "operation", "status", ...ofPrometheus];
    const wrong = queries.flatMap(({ expr, from }) => {
      const { grouping, selectors } = readQuery(expr);
      expect(selectors.length, from).toBeGreaterThan(0);
      const own = selectors.filter((selector) => !isForeign(selector));
      if (own.length === 0) return [];
      const labels = new Set([
        ...own.flatMap(({ name }) => [...(figures.get(name)?.keys() ?? [])]),
        ...ofPrometheus,
      ]);
      return [
        ...own.filter(({ name }) => !figures.has(name)).map(({ name }) => `${from}: ${name}`),
        ...grouping.filter((label) => !labels.has(label)).map((label) => `${from}: by ${label}`),
        ...own.flatMap(({ matchers, name }) =>
          matchers
            .filter(({ isEqual, label, value }) => {
              if (ofPrometheus.includes(label)) return false;
              const values = figures.get(name)?.get(label);
              return !values || (isEqual && !open.includes(label) && !values.has(value));
            })
            .map(({ label, value }) => `${from}: ${name}{${label}="${value}"}`),
        ),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it("match the metrics that the chapter on observability explains (npm run record)", async () => {
    const { helps } = await readFigures(like);
    const rows = [...helps].map(([name, help]) => `| \`${name}\` | ${help} |\n`);
    const table = /(?<=^\| Figure \| \|\n\|---\|---\|\n)(?:\|.*\n)+/m;
    const text = read("observability.md").replace(table, () => rows.join(""));
    await expect(text).toMatchFileSnapshot(fileURLToPath(new URL("observability.md", folder)));
  });
});

describe("the dashboard", () => {
  it("queries the Prometheus server that its user selects, in rows from traffic to workers", () => {
    expect(dashboard.templating.list[0]).toMatchObject({
      name: "datasource",
      type: "datasource",
      query: "prometheus",
    });
    expect(JSON.stringify(dashboard.panels).match(/"uid":"(?!\$\{datasource\})/g)).toBe(null);
    expect(dashboard.panels.filter(({ type }) => type === "row").map(({ title }) => title)).toEqual([
      ...["Traffic", "Errors", "Latency", "Event loop", "Store", "Webhooks", "Workers"],
    ]);
  });
});

describe("an alert", () => {
  it("is made to fire by a test for promtool", () => {
    const { tests } = parse(read("alerts.test.yaml")) as { tests: { name: string }[] };
    expect(tests.map(({ name }) => name)).toEqual(alerts.map(({ alert }) => alert));
  });

  it.runIf(spawnSync("promtool", ["--version"]).error === undefined)(
    "fires, where promtool is installed",
    () => {
      const file = fileURLToPath(new URL("alerts.test.yaml", folder));
      expect(spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" })).toMatchObject({
        status: 0,
      });
    },
  );

  it("has a unique name, and links to an existing part of the runbooks", () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    const parts = [...read("runbooks.md").matchAll(/^## (.+)$/gm)].map(
      ([, title = ""]) => `docs/operations/runbooks.md#${title.toLowerCase().replaceAll(" ", "-")}`,
    );
    expect(alerts.filter(({ annotations }) => !parts.includes(annotations.runbook))).toEqual([]);
  });
});
