import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { type CliContext, sizeOf } from "../../context.ts";
import { foldHelp, helpColumnsMax } from "../../help/fold-help.ts";
import type { Program } from "../../program.ts";
import { defineBuiltin } from "../builtin.ts";

export function manCommand(context: CliContext, program: Program): Command {
  const command = defineBuiltin("man", "read")
    .description("Read the manual page. In a pipe, print it as roff.")
    .addHelpText(
      "after",
      "\nTo install it:\n  dispatch-cli man > ~/.local/share/man/man1/dispatch-cli.1\n\nExample:\n  dispatch-cli man",
    );
  return command.action(async () => {
    const { toManPage } = await import("../../help/man-page.ts");
    const page = await toManPage(await program.wholeTree());
    if (!(await readManPage(context, page))) context.stdout.write(page);
  });
}

/** Returns false if neither `man` nor a pager is available, and for `--no-pager` and a pipe. */
async function readManPage(context: CliContext, page: string): Promise<boolean> {
  const { env, host, stdout } = context;
  const pager = env.PAGER?.trim() ?? "less";
  if (!stdout.isTTY || !host || ["", "cat"].includes(pager) || env.TERM === "dumb") return false;
  const folder = mkdtempSync(join(tmpdir(), "dispatch-cli-man-"));
  const file = join(folder, "dispatch-cli.1");
  try {
    writeFileSync(file, page);
    // The reader handles Ctrl-C, which must not end the program.
    context.onInterrupt(() => undefined);
    const reader = await host.startPager(`man ${file}`, env);
    if (reader) {
      await reader.end();
      return true;
    }
    const plain = await host.startPager(pager, env);
    await plain?.write(toPlainText(page, sizeOf(stdout).columns));
    await plain?.end();
    return plain !== null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Knows only the roff requests of our manual page. */
function toPlainText(page: string, columns: number): string {
  const width = Math.min(columns, helpColumnsMax);
  const lines: string[] = [];
  let isTerm = false;
  let indent = "";
  for (const line of page.trimEnd().split("\n")) {
    const [, request = "", rest = ""] = /^\.(\w+) ?(.*)$/.exec(line) ?? [];
    const text = fromRoff(request === "" ? line : rest.replace(/^"|"$/g, ""));
    if (request === "SH") lines.push("", text);
    else if (request === "SS") lines.push("", `  ${text}`);
    else if (request === "TP") isTerm = true;
    else if (request === "PP") indent = "    ";
    else if (request === "B" || request === "I") lines.push(`    ${text}`);
    else if (request === "" && isTerm) {
      lines.push(`    ${text}`);
      isTerm = false;
      indent = "        ";
    } else if (request === "") lines.push(foldHelp(indent + text, width));
  }
  return `${lines.join("\n").trim()}\n`;
}

const marks: Readonly<Record<string, string>> = { rs: "\\", aq: "'", ga: "`", ha: "^", ti: "~", dq: '"' };

function fromRoff(text: string): string {
  return text
    .replace(/\\f[BRIP]/g, "")
    .replace(/\\\[u([0-9A-F]{4,6})\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\\((\w\w)/g, (mark, name: string) => marks[name] ?? mark)
    .replace(/\\-/g, "-")
    .replace(/\\&/g, "");
}
