import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));
const source = join(project, "src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.tsx?$/.test(name),
);

/**
 * The rooms that each room may import, types included. A room imports only rooms below it.
 */
const arrows: Record<string, readonly string[]> = {
  errors: [],
  runtime: [],
  models: ["errors", "runtime"],
  "local-time": ["models", "runtime"],
  geography: [],
  // The day of jobs, for the terminal and the page.
  board: ["client", "core", "errors", "geography", "local-time", "models", "operations", "runtime"],
  store: ["errors", "models", "runtime"],
  // Threads load this room, so it must not import more.
  documents: ["errors", "geography", "local-time", "models", "runtime", "store"],
  webhooks: ["errors", "models", "runtime", "store"],
  core: ["documents", "errors", "models", "runtime", "store", "webhooks"],
  operations: ["core", "documents", "errors", "local-time", "models", "runtime", "store", "webhooks"],
  openapi: ["core", "errors", "models", "records", "runtime", "webhooks"],
  // The client that programs, commands, and pages share.
  client: ["core", "errors", "models", "operations", "runtime"],
  // The operations as tools for language models, for the terminal and the server.
  mcp: ["board", "client", "core", "errors", "local-time", "models", "openapi", "operations", "runtime"],
  demo: ["client", "core", "errors", "local-time", "models", "operations", "runtime", "store"],
  http: [
    "client",
    "core",
    // A server with a store in memory.
    "demo",
    "errors",
    "local-time",
    "mcp",
    "models",
    "openapi",
    "operations",
    "records",
    "runtime",
    "store",
    "webhooks",
  ],
  // The public library: the types of its calls, and the parts that a browser can load.
  library: [
    "client",
    "core",
    "demo",
    "errors",
    "http",
    "models",
    "openapi",
    "operations",
    "runtime",
    "store",
    "webhooks",
  ],
  records: ["core", "models", "operations", "store"],
  sync: ["client", "core", "errors", "geography", "local-time", "models", "operations", "records", "runtime"],
  cli: [
    "board",
    "client",
    "core",
    "demo",
    "documents",
    "errors",
    "geography",
    "http",
    "local-time",
    "mcp",
    "models",
    "openapi",
    "operations",
    "records",
    "runtime",
    "store",
    "sync",
    "webhooks",
  ],
  // Browsers load the pages, which reach the service through the client.
  pages: [
    "board",
    "client",
    "errors",
    "geography",
    "library",
    "local-time",
    "models",
    "operations",
    "runtime",
    "webhooks",
  ],
};

const folders = Object.keys(arrows);

describe("the source", () => {
  it("imports only along the arrows", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !isAllowed(folderOf(file), folderOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("lists exactly the folders of src in its import rules", () => {
    expect([...new Set(files.map(folderOf))].sort()).toEqual(Object.keys(arrows).sort());
  });

  it("has no circular imports between files or folders, at any depth", () => {
    expect(findCircles()).toEqual([]);
  });

  it("has no file beside its folders, and at most 15 files at the top of cli/", () => {
    expect(files.filter((file) => folderOf(file) === "")).toEqual([]);
    expect(files.filter((file) => dirname(file) === "cli").length).toBeLessThanOrEqual(15);
  });

  it("imports a database driver in the store only", () => {
    expect(
      filesHolding(/from "(?:better-sqlite3|kysely)"/).filter((file) => folderOf(file) !== "store"),
    ).toEqual([]);
  });

  it("touches the process in main only", () => {
    expect(filesHolding(/(?<![.\w"])process\.\w|from "node:process"|\bconsole\./)).toEqual([
      "cli/main.ts",
      // This file writes code for others.
      "pages/copies.ts",
      // This file loads a Node module without an import statement, which bundlers would follow.
      "webhooks/hmac-node.ts",
      // Suppresses Node's warnings about experimental modules.
      "store/sqlite/built-in-driver.ts",
      // This file forgets its counts after each callback.
      "store/sqlite/revision.ts",
    ]);
  });

  it("writes to the terminal only through tell(), except in the listed files's own text", () => {
    const drawn = [
      "cli/commands/api/api.ts",
      "cli/commands/commands/commands.ts",
      "cli/commands/completion/completion.ts",
      "cli/commands/day/day.ts",
      "cli/commands/day/desk/run-desk.ts",
      "cli/commands/day/watch-board.ts",
      "cli/commands/explain/explain.ts",
      "cli/commands/hooks-certify/hooks-certify.ts",
      "cli/commands/import/run-import.ts",
      "cli/commands/man/man.ts",
      "cli/commands/versions/versions.ts",
      "cli/lists/watch-list.ts",
      "cli/main.ts",
      "cli/run.ts",
      "cli/synchronising/apply-records.ts",
    ];
    const writing = filesHolding(/\bstd(?:out|err)\.write\(/).filter(
      (file) => file.startsWith("cli/") && !file.startsWith("cli/output/"),
    );
    expect(writing.toSorted()).toEqual(drawn);
  });

  it("reads the time in runtime/clock.ts only", () => {
    expect(filesHolding(/\bDate\.now\(|new Date\(\)|DateTime\.(?:now|utc|local)\(\)/)).toEqual([
      "runtime/clock.ts",
    ]);
  });

  it("defines compiled statements only at the top of modules, where no request values exist", () => {
    const defined = filesHolding(/\bdefineStatement\(/).filter((file) => !file.endsWith("/compiled.ts"));
    expect(defined.length).toBeGreaterThan(3);
    const within = defined.flatMap((file) =>
      read(file)
        .split("\n")
        .filter((line) => /\bdefineStatement\(/.test(line) && !/^(?:export )?const /.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(within).toEqual([]);
  });

  it("has no file over 400 lines except tables", () => {
    const long = files.filter((file) => read(file).split("\n").length > 400);
    expect(
      long.filter(
        (file) =>
          file !== "errors/error-table.ts" &&
          file !== "records/record-kinds.ts" &&
          file !== "store/schema/database.ts" &&
          file !== "demo/data.ts",
      ),
    ).toEqual([]);
  });

  it("has no catch-all folder", () => {
    const names = new Set(files.flatMap((file) => dirname(file).split("/")));
    expect(["utils", "common", "helpers", "shared", "types"].filter((name) => names.has(name))).toEqual([]);
  });
});

describe("the map in docs/architecture.md", () => {
  const blocks = readPage("docs/architecture.md").split("```");
  const map = blocks.find((block) => block.includes("\nsrc/ ")) ?? "";
  const named = [...map.matchAll(/^( *)([\w.-]+)\/ /gm)].map((match) => ({
    depth: match[1]?.length,
    name: match[2],
  }));

  it("names every folder of the source, and no other", () => {
    const inSource = named.filter(({ depth }) => depth === 2).map(({ name }) => name);
    expect(inSource.sort()).toEqual(folders.sort());
  });

  it("names every folder of the project, and no other", () => {
    const ignored = ["node_modules", "dist", ".git", "coverage"];
    const folders = readdirSync(project, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const there = folders.map(({ name }) => name).filter((name) => !ignored.includes(name));
    const atTop = named.filter(({ depth }) => depth === 0).map(({ name }) => name);
    expect(atTop.sort()).toEqual(there.sort());
  });
});

describe("the README", () => {
  it("has at most 120 lines", () => {
    expect(readPage("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  });

  it("shows pictures that exist and are small, and shows all of them", () => {
    const shown = [...readPage("README.md").matchAll(/\]\((docs\/pictures\/[^)]+)/g)].map(
      ([, path = ""]) => path,
    );
    const there = readdirSync(join(project, "docs/pictures")).map((name) => `docs/pictures/${name}`);
    expect(shown.toSorted()).toEqual(there.toSorted());
    const bytes = shown.map((path) => readFileSync(join(project, path)));
    expect(bytes.filter((png) => png.toString("latin1", 1, 4) !== "PNG" || png.length > 150 * 1024)).toEqual(
      [],
    );
  });
});

describe.each(["docs/architecture.md", "CONTRIBUTING.md"])("%s", (page) => {
  const text = readPage(page);
  const named = [...text.matchAll(/`([\w/.-]+\.tsx?)(?::(\w+))?`/g)];
  const all = [...files, ...readdirSync(join(project, "test"), { recursive: true, encoding: "utf8" })];
  const holdersOf = (path: string) =>
    all.filter((file) => `src/${file}`.endsWith(`/${path.replace(/^test\//, "")}`));

  it("names files that exist", () => {
    const missing = named.filter(([, path = ""]) => holdersOf(path).length === 0);
    expect(missing.map(([, path]) => path)).toEqual([]);
  });

  it("names functions that their files have", () => {
    const missing = named.filter(
      ([, path = "", name]) =>
        name && !holdersOf(path).some((file) => new RegExp(`\\b${name}\\(`).test(read(file))),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  it("names folders of the source that exist", () => {
    const isThere = (path: string) => [source, project].some((root) => existsSync(join(root, path)));
    const paths = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/)`/g)].map(([, path = ""]) => path);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });
});

function readPage(page: string): string {
  return readFileSync(join(project, page), "utf8");
}

const read = (file: string) => readFileSync(join(source, file), "utf8");

const filesHolding = (pattern: RegExp) => files.filter((file) => pattern.test(read(file)));

/** The first folder below src/, or empty for a file directly in src/. */
function folderOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? "") : "";
}

const importsByFile = new Map<string, readonly string[]>();

/** The source files that a file imports, type imports included. */
function importsOf(file: string): readonly string[] {
  const known = importsByFile.get(file) ?? readImports(file);
  importsByFile.set(file, known);
  return known;
}

function readImports(file: string): string[] {
  const imports = read(file).matchAll(/(?:^(?:import|export)\b[^;"]*?from |\bimport\()"(\.[^"]+)"/gms);
  return [...imports].flatMap((match) => {
    const target = relative(source, resolve(source, dirname(file), match[1] ?? ""));
    return target.startsWith("..") ? [] : [target];
  });
}

function isAllowed(from: string, to: string): boolean {
  return from === to || (arrows[from]?.includes(to) ?? false);
}

/** Finds import cycles among the files of a folder and its subfolders. Each subfolder counts as one file. */
function findCircles(): string[] {
  const folders = new Set(files.flatMap((file) => foldersAbove(file)));
  return [...folders].flatMap((folder) => {
    const arrowsInside = new Map<string, Set<string>>();
    for (const file of files) {
      const from = childOf(folder, file);
      for (const target of importsOf(file)) {
        const to = childOf(folder, target);
        if (from === null || to === null || from === to) continue;
        arrowsInside.set(from, (arrowsInside.get(from) ?? new Set()).add(to));
      }
    }
    return [...arrowsInside.keys()]
      .filter((name) => reaches(arrowsInside, name, name))
      .map((name) => join(folder, name));
  });
}

function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === "." ? ["."] : [folder, ...foldersAbove(folder)];
}

/** The file or folder directly in `folder` that is or contains the file. Null if it is elsewhere. */
function childOf(folder: string, file: string): string | null {
  const path = relative(folder, file);
  return path.startsWith("..") ? null : (path.split("/")[0] ?? null);
}

function reaches(
  arrowsInside: Map<string, Set<string>>,
  from: string,
  to: string,
  seen = new Set<string>(),
): boolean {
  return [...(arrowsInside.get(from) ?? [])].some((next) => {
    if (next === to) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    return reaches(arrowsInside, next, to, seen);
  });
}
