import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { commandCures } from "../../src/cli/cures/tell-cures.ts";
import type { CommandName } from "../../src/errors/cure.ts";
import { DispatchError, type ErrorCode, errorTable } from "../../src/errors/errors.ts";
import { toErrorAnswer } from "../../src/http/error-answer.ts";
import { operationNames } from "../../src/operations/index.ts";
import { linkCures } from "../../src/operations/link-cures.ts";
import { loadWholeTree } from "../support/command-line.ts";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/**
 * Files whose texts never reach an HTTP answer: those for the terminal, the document, the error table (tested below),
 * and SQL.
 */
const terminal = [
  "cli",
  "client",
  "library",
  "demo",
  "errors",
  "main.ts",
  "openapi",
  "pages",
  "remote",
  "runtime/open-telemetry.ts",
  "store/backups",
  "store/life",
  "store/migrations",
  "store/postgres/address-values.ts",
  "runtime/install-command.ts",
  "store/postgres/address.ts",
  "store/sqlite/driver.ts",
  "sync",
];
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !terminal.some((part) => name === part || name.startsWith(`${part}/`)),
);

function toLeaves(command: Command, path: readonly string[]): string[] {
  if (command.commands.length === 0) return [path.join(" ")];
  return command.commands.flatMap((child) => toLeaves(child, [...path, child.name()]));
}

/** All commands, except one that is also plain English. */
const commands = toLeaves(await loadWholeTree(), []).filter((words) => words !== "locations of");
const nouns = [...new Set(commands.map((words) => words.split(" ", 1)[0] ?? ""))];

/** Matches commands of two or more words, options, and the program's name with any command. */
const commandPattern = new RegExp(
  [
    `(?<![\\w/.])(?:${commands.filter((words) => words.includes(" ")).join("|")})(?![\\w-])`,
    `(?<!\\w)--[a-z][a-z-]+`,
    `dispatch-cli (?:${nouns.join("|")})\\b`,
    `\`(?:${nouns.join("|")})\``,
  ].join("|"),
);

/** Returns the code of a file without comments and without fixes that are data. */
function textsOf(file: string): string[] {
  const code = readFileSync(join(source, file), "utf8")
    .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "")
    .replaceAll(/\bcommand: "[^"]*"/g, "");
  return [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) => text);
}

async function answerWith(code: ErrorCode, see: object) {
  const error = new DispatchError([{ code, detail: "It is so.", field: null, see: see as never }]);
  const request = { base: "", headers: {}, url: "" };
  const answer = toErrorAnswer(
    error,
    "11111111-1111-4111-8111-111111111111",
    request,
    await linkCures(error),
  );
  return JSON.parse(String(answer.body));
}

/** Only the terminal shows these errors, because the server did not start. */
const isOfStart = (text: string) => text.includes("EADDRINUSE");

describe("the text of an error over HTTP contains no command of the terminal", () => {
  it("of any error in the table", () => {
    const texts = Object.values(errorTable).flatMap(({ explanation, status, title }) =>
      status === null ? [] : [title, explanation],
    );
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((text) => commandPattern.test(text) || text.includes("dispatch-cli"))).toEqual([]);
  });

  it("of any detail in the source outside cli/", () => {
    const named = files.flatMap((file) =>
      textsOf(file)
        .filter((text) => commandPattern.test(text) && text.includes(" ") && !isOfStart(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(files.length).toBeGreaterThan(300);
    expect(named).toEqual([]);
  });

  it.each(Object.keys(commandCures) as CommandName[])(
    "of an error that %s fixes: a server links to the page of the error",
    async (command) => {
      const body = await answerWith("state_conflict", { command });
      expect(JSON.stringify(body)).not.toMatch(commandPattern);
      expect(body.see).toEqual({ method: "GET", path: "/docs/errors/state_conflict" });
    },
  );

  it("of any error that an operation fixes: it suggests the request", async () => {
    const cured = files.flatMap((file) =>
      [...readFileSync(join(source, file), "utf8").matchAll(/\boperation: "([a-z-]+\.[a-z-]+)"/g)].map(
        ([, name = ""]) => name,
      ),
    );
    const names = new Set(cured.filter((name) => (operationNames as readonly string[]).includes(name)));
    expect(names.size).toBeGreaterThan(5);
    for (const operation of names) {
      const body = await answerWith("unknown_reference", { operation });
      expect(body.see).toEqual({
        method: expect.stringMatching(/^(?:GET|POST|PATCH|DELETE)$/),
        path: expect.stringMatching(/^\/(?!docs)/),
      });
      expect(JSON.stringify(body)).not.toMatch(commandPattern);
    }
  });

  it("is checked by a pattern that recognizes commands and options", () => {
    const texts = [
      "`hooks resume` does.",
      "Use --force.",
      "dispatch-cli doctor says where.",
      "see jobs list",
    ];
    expect(texts.filter((text) => !commandPattern.test(text))).toEqual([]);
  });
});
