import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));
const page = "docs/decisions.md";
const headings = [...read(page).matchAll(/^### OP-(\d+) \S/gm)].map(([, number]) => Number(number));
const files = ["README.md", ...["src", "test", "docs"].flatMap(filesIn)];

/** Where each decision is cited, by its number; the page's own headings are no citations. */
const citations = collectCitations(files);

describe("the decisions", () => {
  // Told, not refused: a decision may be held by tests that do not name it.
  afterAll(() => void process.stdout.write(`decisions nobody cites: ${findIdle().join(", ") || "none"}\n`));

  it("have a heading for every number that is cited", () => {
    const missing = [...citations].filter(([number]) => !headings.includes(number));
    expect(missing.map(([number, cited]) => `OP-${number}, cited in ${cited[0]}`)).toEqual([]);
  });

  it("have one heading for each number", () => {
    expect(headings.filter((number, index) => headings.indexOf(number) !== index)).toEqual([]);
  });

  it("have no number that is neither used nor said to be unused", () => {
    const unused = unusedNumbers();
    const all = Array.from({ length: Math.max(...headings) }, (_, index) => index + 1);
    expect(all.filter((number) => headings.includes(number) === unused.has(number))).toEqual([]);
  });

  it("say each what was decided, why, and what speaks against it", () => {
    const incomplete = read(page)
      .split(/^(?=##)/m)
      .filter((section) => section.startsWith("### OP-"))
      .filter((section) => !/\*\*Decision:\*\*.+\*\*Why:\*\*.+\*\*Against:\*\*/s.test(section));
    expect(incomplete.map((section) => section.split("\n", 1)[0])).toEqual([]);
  });

  it("are linked to by headings that are there", () => {
    const anchors = new Set([...read(page).matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => toAnchor(text)));
    const broken = files.flatMap((file) =>
      [...read(file).matchAll(file === page ? /\]\(#([^)]+)\)/g : /decisions\.md#([\w-]+)/g)]
        .map(([, anchor = ""]) => anchor)
        .filter((anchor) => !/^op-\d*$/.test(anchor) && !anchors.has(anchor))
        .map((anchor) => `${file} → #${anchor}`),
    );
    expect(broken).toEqual([]);
  });
});

describe("the pages of docs/", () => {
  it("that the source and the tests cite are there", () => {
    const cited = [...filesIn("src"), ...filesIn("test")].flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/[\w-]+\.md\b/g)].map(([name]) => ({ file, name })),
    );
    const missing = cited.filter(({ name }) => !existsSync(join(project, name)));
    expect(missing.map(({ file, name }) => `${file} → ${name}`)).toEqual([]);
  });
});

/** The decisions that only the page itself names. */
function findIdle(): string[] {
  const isCited = (number: number) => (citations.get(number) ?? []).some((file) => file !== page);
  return headings
    .filter((number) => !isCited(number))
    .sort((a, b) => a - b)
    .map((number) => `OP-${number}`);
}

/** Every citation, those inside of "OP-14 to OP-16" included. */
function collectCitations(names: readonly string[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const name of names) {
    const text = name === page ? read(name).replace(/^### .*$/gm, "") : read(name);
    for (const [, from, to] of text.matchAll(/\bOP-(\d+)(?: to OP-(\d+))?/g)) {
      for (let number = Number(from); number <= Number(to ?? from); number++)
        found.set(number, [...(found.get(number) ?? []), name]);
    }
  }
  return found;
}

/** The ranges that the page says it does not use. */
function unusedNumbers(): Set<number> {
  const [, ranges = ""] = /^Numbers that are not used: (.+)\.$/m.exec(read(page)) ?? [];
  return new Set(
    [...ranges.matchAll(/(\d+) to (\d+)/g)].flatMap(([, from, to]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index),
    ),
  );
}

/** A heading's anchor, as code forges make it. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

function read(name: string): string {
  return readFileSync(join(project, name), "utf8");
}

function filesIn(folder: string): string[] {
  return readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|js|md|snap)$/.test(name) && !name.includes("node_modules"))
    .map((name) => `${folder}/${name}`);
}
