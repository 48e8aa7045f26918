import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));
const folder = "docs/decisions";
const topics = readdirSync(join(project, folder)).filter(
  (name) => name.endsWith(".md") && name !== "README.md",
);
const files = ["README.md", "CONTRIBUTING.md", ...["src", "test", "docs", "bench", "build"].flatMap(filesIn)];
const sources = files.filter((file) => !file.endsWith(".md"));

const decisions = topics.flatMap((topic) =>
  read(`${folder}/${topic}`)
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [heading = "", ...lines] = text.trimEnd().split("\n");
      return { topic, heading, lines };
    }),
);

describe("the decisions", () => {
  it.each(decisions)(
    "$topic: $heading: has the decision, the reason, and the counterargument, in a line each",
    ({ lines }) => {
      expect(lines.map((line) => /^- (\w+): \S/.exec(line)?.[1] ?? line)).toEqual([
        "Decision",
        "Why",
        "Against",
      ]);
    },
  );

  it("have unique headings", () => {
    const headings = decisions.map(({ heading }) => heading);
    expect(headings.filter((heading, index) => headings.indexOf(heading) !== index)).toEqual([]);
  });

  it("have their topics in the list", () => {
    const listed = [...read(`${folder}/README.md`).matchAll(/^\| \[[\w.-]+\]\(([\w.-]+)\)/gm)].map(
      ([, name]) => name,
    );
    expect(listed.toSorted()).toEqual(topics.toSorted());
  });

  it("exist if a file cites them", () => {
    const cited = files.flatMap((file) =>
      [...read(file).matchAll(/docs\/decisions\/([\w-]+\.md), "([^"]+)"/g)].map(([, topic, heading]) => ({
        file,
        topic,
        heading,
      })),
    );
    const missing = cited.filter(
      ({ topic, heading }) => !decisions.some((known) => known.topic === topic && known.heading === heading),
    );
    expect(missing).toEqual([]);
  });
});

describe("the pages of docs/", () => {
  it("exist if the source or a test cites them", () => {
    const cited = sources.flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/(?:[\w-]+\/)*[\w-]+\.md\b/g)].map(([name]) => ({ file, name })),
    );
    expect(cited.filter(({ name }) => !existsSync(join(project, name)))).toEqual([]);
  });

  it("link only to existing files", () => {
    const links = files
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) =>
        [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => ({
          file,
          target,
        })),
      );
    expect(links.filter(({ file, target }) => !existsSync(join(project, file, "..", target)))).toEqual([]);
  });
});

function read(name: string): string {
  return readFileSync(join(project, name), "utf8");
}

function filesIn(room: string): string[] {
  return readdirSync(join(project, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|js|md|snap)$/.test(name) && !name.includes("node_modules"))
    .map((name) => `${room}/${name}`);
}
