// Bundles src/library/ into dist/library/, the exports of the package. It runs the declarations to compute the table
// of operations and the types of every version.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";
import { build } from "rolldown";
import { isolatedDeclarationSync } from "rolldown/experimental";

const source = "src/library";

/** The files with public exports, all in one folder. The build generates wire.ts. */
const publicFiles = [
  "../client/call-types",
  "../client/stream-types",
  "../client/client",
  "../client/untyped",
  "../errors/cure",
  "../errors/dispatch-error",
  "../webhooks/hmac",
  "index",
  "operations",
  "test-server",
  "to-date",
  "verify-webhook",
];

/** Runs the declarations. Returns the plugin of the tables of operations, and the types of requests and answers. */
export async function readDeclarations(folder) {
  const target = resolve(folder, "library");
  mkdirSync(target, { recursive: true });
  const { declarations, facts, table } = await runDeclarations(target);
  return { declarations, tables: operationTables(toTableModule(table, facts)) };
}

/** Writes the library into the existing `folder`, and reports its packages to `thirdParty`. */
export async function buildLibrary(folder, thirdParty, { declarations, tables }) {
  const target = resolve(folder, "library");
  const made = { tables, watch: thirdParty.watch("library") };
  await Promise.all([
    bundle(`${source}/index.ts`, { file: `${target}/index.cjs`, format: "cjs" }, made, "node"),
    bundle(`${source}/browser.ts`, { file: `${target}/browser.cjs`, format: "cjs" }, made, "browser"),
    bundle(`${source}/browser.ts`, { file: `${target}/browser.mjs`, format: "esm" }, made, "browser"),
  ]);
  writeFileSync(`${target}/index.mjs`, toModule(`${target}/index.cjs`));
  writeTypes(target, declarations);
}

/** Runs the declarations as a bundle next to its target, where it finds the project's packages. */
async function runDeclarations(target) {
  const file = `${target}/generate.cjs`;
  await build({
    input: `${source}/typings/generate.ts`,
    platform: "node",
    external: /^[^./]/,
    // Suppress the warning that a single file loads nothing dynamically.
    logLevel: "silent",
    output: { codeSplitting: false, file, format: "cjs" },
  });
  const generated = await createRequire(file)(file).generate();
  rmSync(file);
  return generated;
}

/**
 * Writes the tables as a module. They are most of the client in a browser: a row is a line of text without the traits
 * that nearly all operations of its method have, and the module contains each of the few sets of roles once.
 */
function toTableModule(table, facts) {
  const sets = [...new Set(Object.values(facts).map(({ roles }) => JSON.stringify(roles)))];
  const usual = (method) => (method === "GET" ? '{"isRead":true}' : '{"isKeyed":true}');
  const rows = Object.entries(table).map(([name, { method, path, traits }]) => {
    const text = JSON.stringify(traits);
    return [name, method, path, ...(text === usual(method) ? [] : [text])].join(" ");
  });
  const factRows = Object.values(facts).map(({ effect, roles, summary }) =>
    JSON.stringify([sets.indexOf(JSON.stringify(roles)), summary, effect]),
  );
  return `export const operationTable = /* @__PURE__ */ toTable();

function toTable() {
const text = ${JSON.stringify(rows.join("\n"))};
return Object.fromEntries(text.split("\\n").map((row) => {
const [name, method, path, traits = method === "GET" ? '${usual("GET")}' : '${usual("POST")}'] = row.split(" ");
return [name, { method, path, traits: JSON.parse(traits) }];
}));
}

export const operationFacts = /* @__PURE__ */ toFacts();

function toFacts() {
const sets = [${sets.join(",")}];
const rows = [
${factRows.join(",\n")}
];
const names = Object.keys(operationTable);
return Object.fromEntries(rows.map(([set, summary, effect], at) => [names[at], { roles: sets[set], summary, effect }]));
}`;
}

/** A plugin that replaces the module that computes the tables with the tables. */
const operationTables = (text) => ({
  name: "operation-table",
  load: {
    filter: { id: /[\\/]operation-table\.ts$/ },
    handler: (id) => (id.includes("to-operation") ? null : text),
  },
});

/**
 * Loads the test server, which is part of the program's build because it shares its code. The import is hidden from
 * bundlers: they would include the whole program and fail at missing packages. The package, and a bundle next to it,
 * resolve the package's own name.
 */
const testServerLoader = `
const from = typeof __filename === "undefined" ? process.cwd() + "/" : __filename;
const require = process.getBuiltinModule("node:module").createRequire(from);
const { join } = require("node:path");
const fix = "startTestServer needs the server, which is in the package dispatch-cli: run npm install --save-dev dispatch-cli.";
const find = () => {
  try {
    return require.resolve("dispatch-cli/package.json");
  } catch (cause) {
    throw new Error(fix, { cause });
  }
};
export const startTestServer = (options) =>
  require(join(find(), "../dist/test-server.cjs")).startTestServer(options);`;

function bundle(input, output, { tables, watch }, platform) {
  const testServer = {
    name: "test-server",
    load: { filter: { id: /start-test-server\.ts$/ }, handler: () => testServerLoader },
  };
  return build({
    input,
    platform,
    logLevel: "warn",
    plugins: [tables, testServer, watch],
    // Jest does not support `import()` in CommonJS.
    output: { codeSplitting: false, dynamicImportInCjs: false, ...output },
  });
}

/** Writes the same exports as an ES module. It loads the other file, so that only one DispatchError class exists. */
function toModule(file) {
  const names = Object.keys(createRequire(file)(file)).sort();
  return `import library from "./index.cjs";\nexport const { ${names.join(", ")} } = library;\n`;
}

function writeTypes(target, declarations) {
  for (const name of publicFiles) {
    const file = `${source}/${name}.ts`;
    const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, "utf8"));
    if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join("; ")}`);
    const types = code
      .replace(/from "\.\.?\/(?:[\w-]+\/)*([\w-]+)\.ts"/g, 'from "./$1.cjs"')
      // The error codes are part of the types in wire.
      .replace('"./error-table.cjs"', '"./wire.cjs"');
    writeFileSync(`${target}/${basename(name)}.d.cts`, types);
  }
  writeFileSync(`${target}/wire.d.cts`, `${declarations}\n`);
  for (const name of ["index.d.mts", "browser.d.mts", "browser.d.cts"])
    writeFileSync(`${target}/${name}`, 'export * from "./index.cjs";\n');
}
