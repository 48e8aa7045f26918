import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { walkCommands } from "../../src/cli/common-options.ts";
import { isDocument, type Operation, rolesOf } from "../../src/core/operation.ts";
import { toRoutes } from "../../src/http/answer.ts";
import { apiVersions } from "../../src/models/api-versions.ts";
import { modelName } from "../../src/models/model.ts";
import { toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { loadWholeTree } from "../support/command-line.ts";
import { roleTable, versionsOf } from "../support/role-table.ts";

const operations = await loadOperations();
const declared = new Map(operations.map((operation) => [operation.name, operation]));

function toAnswerName({ output }: Operation): string {
  if (isDocument(output)) return output.mediaType === "application/pdf" ? "PDF" : "a JSON file";
  return output instanceof z.ZodArray ? `array of ${modelName(output.element)}` : modelName(output);
}

const sorted = (texts: Iterable<string>) => [...texts].sort();

describe("the table of all operations", () => {
  it("has each name, and each method of a path, once", () => {
    const names = roleTable.map(({ name }) => name);
    expect(names.length).toBe(new Set(names).size);
    const routes = roleTable.map(({ method, path }) => `${method} ${path}`);
    expect(routes.length).toBe(new Set(routes).size);
  });

  it("has the seven operations that the interface describes in detail", () => {
    expect(roleTable.filter(({ origin }) => origin === "D").map(({ name }) => name)).toEqual([
      "customers.create",
      "addresses.add",
      "jobs.list",
      "jobs.create",
      "trucks.job-list-pdf",
      "hooks.delete",
      "hooks.ping",
    ]);
  });
});

describe("the operations", () => {
  it("match the table", () => {
    const written = roleTable.map(({ name }) => name);
    expect(sorted(declared.keys()), "add a row to docs/interface.md").toEqual(sorted(written));
  });

  it.each(roleTable)("$name is declared as the table has it", (row) => {
    const operation = declared.get(row.name);
    const { allow, changes, extension, lifetime, route } = operation ?? {};
    expect({
      answer: operation && toAnswerName(operation),
      body: operation?.body ? modelName(operation.body) : undefined,
      emits: sorted(changes?.emits ?? []),
      isOurs: extension ?? false,
      roles: sorted(operation ? rolesOf(operation) : []),
      route,
      until: lifetime?.until,
      withoutTenant: allow === "token",
    }).toEqual({
      answer: row.answer,
      body: /\w+Model$/.exec(row.takes)?.[0],
      emits: sorted(row.emits),
      isOurs: row.origin === "O",
      roles: sorted(row.roles),
      route: `${row.method} ${row.path}`,
      until: row.until,
      withoutTenant: row.withoutTenant ?? false,
    });
  });

  it("have the path parameters of the table", () => {
    for (const { params, route } of operations) {
      const named = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
      expect(sorted(Object.keys(params)), route).toEqual(sorted(named));
    }
  });
});

describe("the routes of the server", () => {
  it("match the table, with the methods of each path", () => {
    const order = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    const paths = new Set(roleTable.map(({ path }) => path));
    const written = [...paths].map((path) => {
      const methods = roleTable.filter((row) => row.path === path).map(({ method }) => method as string);
      return `${path}: ${order.filter((method) => methods.includes(method)).join(",")}`;
    });
    const served = toRoutes(operations).map(({ path, allow }) => `${path}: ${allow}`);
    expect(sorted(served)).toEqual(sorted(written));
  });
});

describe.each(apiVersions)("the OpenAPI document at %s", (version) => {
  it("has the operations of the table at the version, with their roles and events, and no other", () => {
    const { paths } = toOpenapi(operations, version);
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      // The stream is not an operation.
      Object.entries(path === "/stream" ? {} : methods).map(([method, entry]) => ({
        emits: sorted(entry["x-events"] ?? []),
        isOurs: entry["x-extension"] ?? false,
        name: entry.operationId,
        roles: sorted(entry["x-roles"]),
        route: `${method.toUpperCase()} ${path}`,
        willEnd: entry.deprecated ?? false,
      })),
    );
    const written = roleTable
      .filter((row) => versionsOf(row).includes(version))
      .map(({ emits, method, name, origin, path, roles, until }) => ({
        emits: sorted(emits),
        isOurs: origin === "O",
        name,
        roles: sorted(roles),
        route: `${method} ${path}`,
        willEnd: until !== undefined,
      }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(documented.toSorted(byName)).toEqual(written.toSorted(byName));
  });
});

describe("the command tree", async () => {
  const leaves = [...walkCommands(await loadWholeTree())].map(({ path }) => path);
  const commands = leaves.map((path) => path.join(" "));
  // The search has the command `find` and belongs to no kind of record.
  const ofTable = roleTable
    .map(({ name }) => name.replace(".", " "))
    .filter((name) => name !== "search find");
  const page = readFileSync(new URL("../../docs/command-line.md", import.meta.url), "utf8");
  /** `clock show\|set` names two commands. */
  const documented = [...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, span = ""]) => {
    const [noun = "", verbs = ""] = span.replaceAll("\\|", "|").split(" ");
    return [noun, ...verbs.split("|").map((verb) => `${noun} ${verb}`)];
  });

  it("has a command of two words for each operation of the table", () => {
    expect(ofTable.filter((name) => !commands.includes(name))).toEqual([]);
  });

  it("has no other command than docs/command-line.md", () => {
    const known = [...ofTable, ...documented];
    const others = commands.filter((name) => !known.includes(name.replace(/^export .*/, "export <noun>")));
    expect(others, "add a row to docs/command-line.md").toEqual([]);
  });

  it("has each command of docs/command-line.md", () => {
    const nouns = leaves.filter(({ length }) => length > 1).map(([noun = ""]) => noun);
    const verbs = documented.filter((name) => nouns.some((noun) => name.startsWith(`${noun} `)));
    const wrong = verbs.filter((name) => /^\S+ [a-z][a-z-]*$/.test(name) && !commands.includes(name));
    expect(wrong).toEqual([]);
  });
});
