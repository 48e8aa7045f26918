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
 * What each room may import of the others, types included. Below it stands what it may be built on; no room imports one
 * above it, and surfaces (cli, http) know nothing of each other.
 */
const arrows: Record<string, readonly string[]> = {
  errors: [],
  runtime: [],
  models: ["errors", "runtime"],
  "local-time": ["models", "runtime"],
  geography: [],
  // The day of jobs, for a terminal and a page alike.
  board: ["geography", "local-time", "models", "runtime"],
  store: ["errors", "models", "runtime"],
  // Threads load what is here; it must not reach further than this.
  documents: ["errors", "geography", "local-time", "models", "runtime", "store"],
  auth: ["errors", "models", "runtime", "store"],
  webhooks: ["errors", "models", "runtime", "store"],
  core: ["auth", "documents", "errors", "models", "runtime", "store", "webhooks"],
  operations: ["auth", "core", "documents", "errors", "local-time", "models", "runtime", "store", "webhooks"],
  openapi: ["core", "errors", "models", "records", "runtime", "webhooks"],
  local: ["auth", "core", "documents", "errors", "models", "runtime", "store", "webhooks"],
  // The calls of a service, by whatever sends them: the client of programs, of commands, and of pages.
  client: ["core", "errors", "models", "operations", "runtime"],
  demo: [
    "auth",
    "client",
    "core",
    "errors",
    "http",
    "local",
    "local-time",
    "models",
    "operations",
    "runtime",
    "store",
  ],
  http: [
    "auth",
    // What answers in this process is asked by that client.
    "client",
    "core",
    "errors",
    // A thread that reads opens the service for itself.
    "local",
    "models",
    "openapi",
    "operations",
    "records",
    "runtime",
    "store",
    "webhooks",
  ],
  // What programs import; types of what it calls, and what a browser can load besides.
  library: [
    "client",
    "core",
    "demo",
    "errors",
    "http",
    "local",
    "models",
    "openapi",
    "operations",
    "runtime",
    "store",
    "webhooks",
  ],
  records: ["models", "operations", "store"],
  sync: ["client", "core", "errors", "local-time", "models", "operations", "records", "runtime"],
  cli: [
    "auth",
    "board",
    "client",
    "core",
    "demo",
    "documents",
    "errors",
    "geography",
    "local",
    "local-time",
    "models",
    "openapi",
    "operations",
    "records",
    "runtime",
    "store",
    "sync",
    "webhooks",
  ],
  // Loaded by browsers: what is of the service reaches them through the client that programs have.
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
  // main.ts, which puts the surfaces together.
  "": ["cli", "errors", "http", "runtime"],
};

const folders = Object.keys(arrows).filter((folder) => folder !== "");

describe("the source", () => {
  it("imports along the arrows only", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !isAllowed(folderOf(file), folderOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("names in its arrows every folder there is, and no other", () => {
    expect([...new Set(files.map(folderOf))].sort()).toEqual(Object.keys(arrows).sort());
  });

  it("has no circle between files or folders, at any depth", () => {
    expect(findCircles()).toEqual([]);
  });

  it("has main.ts alone at its top, and at most 15 files at the top of cli/", () => {
    expect(files.filter((file) => folderOf(file) === "")).toEqual(["main.ts"]);
    expect(files.filter((file) => dirname(file) === "cli").length).toBeLessThanOrEqual(15);
  });

  it("imports a database driver in the store only", () => {
    expect(
      filesHolding(/from "(?:better-sqlite3|kysely)"/).filter((file) => folderOf(file) !== "store"),
    ).toEqual([]);
  });

  it("touches the process in main only", () => {
    expect(filesHolding(/(?<![.\w"])process\.\w|from "node:process"|\bconsole\./)).toEqual([
      "main.ts",
      // It takes a module of Node without an import, for bundlers.
      "webhooks/hmac-node.ts",
      // In the code that it writes for others.
      "pages/inspect/copies.ts",
      // It keeps Node from warning of what it loads.
      "store/sqlite/built-in-driver.ts",
    ]);
  });

  it("writes to the screens by tell() alone, but for what draws, sends bytes on, or is the program's own text", () => {
    const drawn = [
      "cli/commands/api/api.ts",
      "cli/commands/commands/commands.ts",
      "cli/commands/completion/completion.ts",
      "cli/commands/day/day.ts",
      "cli/commands/day/desk/run-desk.ts",
      "cli/commands/day/watch-board.ts",
      "cli/commands/explain/explain.ts",
      "cli/commands/export/open-text-output.ts",
      "cli/commands/hooks-certify/hooks-certify.ts",
      "cli/commands/import/run-import.ts",
      "cli/commands/man/man.ts",
      "cli/commands/versions/versions.ts",
      "cli/lists/watch-list.ts",
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

  it("defines statements that are compiled once at the top of modules only, where no request's values are at hand", () => {
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

  it("has no file over 400 lines but tables", () => {
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

  it("has no folder for leftovers", () => {
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

/** The first folder below src/; empty for files at its top. */
function folderOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? "") : "";
}

const importsByFile = new Map<string, readonly string[]>();

/** The files of the source that a file imports, those of types included. */
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

/** Circles among what lies beside each other in a folder: its files, and its folders each taken as one. */
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

/** The file or folder directly in `folder` that is or holds the file; null when it lies elsewhere. */
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
