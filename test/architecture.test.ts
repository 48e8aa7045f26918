import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));
const source = join(project, "src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);

/** What each folder may import of the others; files at the top of src/ are named one by one where it matters. */
const arrows: Record<string, readonly string[]> = {
  cli: ["remote", "openapi", "operations", "models", "versions", "store", "demo", "doctor", "webhooks"],
  demo: ["operations", "models", "store", "versions"],
  doctor: ["remote", "store"],
  documents: [],
  http: ["openapi", "operations", "models", "store", "versions", "webhooks"],
  models: ["versions"],
  openapi: ["models", "versions"],
  operations: ["documents", "models", "store", "versions", "webhooks"],
  remote: ["versions"],
  store: ["models"],
  versions: ["models"],
  webhooks: ["models", "store", "versions"],
};

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
    const folders = new Set(files.map(folderOf).filter((folder) => folder !== ""));
    expect([...folders].sort()).toEqual(Object.keys(arrows).sort());
  });

  it("reaches the command line and the server from main only, and neither from the other", () => {
    const reaching = files.filter((file) =>
      importsOf(file).some((target) => folderOf(file) === "" && ["cli", "http"].includes(folderOf(target))),
    );
    expect(reaching).toEqual(["main.ts"]);
  });

  it("imports a database driver in the store only", () => {
    expect(
      filesHolding(/from "(?:better-sqlite3|kysely)"/).filter((file) => folderOf(file) !== "store"),
    ).toEqual([]);
  });

  it("touches the process in main only", () => {
    expect(filesHolding(/(?<![.\w"])process\.\w|from "node:process"|\bconsole\./)).toEqual(["main.ts"]);
  });

  it("reads the time in clock.ts only", () => {
    expect(filesHolding(/\bDate\.now\(|new Date\(\)|DateTime\.(?:now|utc|local)\(\)/)).toEqual(["clock.ts"]);
  });

  it("has no file over 400 lines but tables", () => {
    const long = files.filter((file) => read(file).split("\n").length > 400);
    expect(
      long.filter(
        (file) => file !== "errors.ts" && file !== "store/database.ts" && !file.startsWith("demo/addresses"),
      ),
    ).toEqual([]);
  });

  it("has no folder for leftovers", () => {
    const names = new Set(files.flatMap((file) => dirname(file).split("/")));
    expect(["utils", "common", "helpers", "shared", "types"].filter((name) => names.has(name))).toEqual([]);
  });
});

describe("the README's map", () => {
  const blocks = readFileSync(join(project, "README.md"), "utf8").split("```");
  const map = blocks.find((block) => block.includes("\nsrc/ ")) ?? "";
  const named = [...map.matchAll(/^( *)([\w.]+)\/ /gm)].map((match) => ({
    depth: match[1]?.length,
    name: match[2],
  }));

  it("names every folder of the source, and no other", () => {
    const inSource = named.filter(({ depth }) => depth === 2).map(({ name }) => name);
    expect(inSource.sort()).toEqual(Object.keys(arrows).sort());
  });

  it("names every folder of the project, and no other", () => {
    const ignored = ["node_modules", "dist", ".git", "coverage"];
    const folders = readdirSync(project, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const there = folders.map(({ name }) => name).filter((name) => !ignored.includes(name));
    const atTop = named.filter(({ depth }) => depth === 0).map(({ name }) => name);
    expect(atTop.sort()).toEqual(there.sort());
  });
});

const read = (file: string) => readFileSync(join(source, file), "utf8");

const filesHolding = (pattern: RegExp) => files.filter((file) => pattern.test(read(file)));

/** The first folder below src/; empty for files at its top. */
function folderOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? "") : "";
}

/** Relative imports that are in the program when it runs; those of types vanish. */
function importsOf(file: string): string[] {
  const imports = read(file).matchAll(
    /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"|import\("(\.[^"]+)"\)/gms,
  );
  return [...imports].map((match) => {
    const target = resolve(source, dirname(file), match[1] ?? match[2] ?? "");
    return relative(source, target);
  });
}

function isAllowed(from: string, to: string): boolean {
  return (
    from === to || from === "" || to === "" || to.startsWith("..") || (arrows[from]?.includes(to) ?? false)
  );
}
