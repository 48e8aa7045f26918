import { foldHelp, helpColumnsMax } from "./fold-help.ts";

/** A manual page of ours as plain text, for where no program reads roff; it knows the requests that the page has. */
export function toPlainText(page: string, columns: number): string {
  const width = Math.min(columns, helpColumnsMax);
  const lines: string[] = [];
  let isTerm = false;
  let indent = "";
  for (const line of page.trimEnd().split("\n")) {
    const [, request = "", rest = ""] = /^\.(\w+) ?(.*)$/.exec(line) ?? [];
    const text = toText(request === "" ? line : rest.replace(/^"|"$/g, ""));
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

function toText(text: string): string {
  return text
    .replace(/\\f[BRIP]/g, "")
    .replace(/\\\[u([0-9A-F]{4,6})\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\\((\w\w)/g, (mark, name: string) => marks[name] ?? mark)
    .replace(/\\-/g, "-")
    .replace(/\\&/g, "");
}
