import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type MeasuredFunction, measureFunctions } from "./support/measure-functions.ts";

const linesMax = 60;
const complexityMax = 15;

const source = fileURLToPath(new URL("../src", import.meta.url));
const functions = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"))
  .flatMap((file) =>
    measureFunctions(readFileSync(join(source, file), "utf8"), file).map((measured) => ({
      file,
      ...measured,
    })),
  );

describe("the functions of the source", () => {
  it(`have at most ${linesMax} lines`, () => {
    expect(findOffenders("lines", linesMax), tellTop("lines")).toEqual([]);
  });

  it(`have a cyclomatic complexity of at most ${complexityMax}`, () => {
    expect(findOffenders("complexity", complexityMax), tellTop("complexity")).toEqual([]);
  });
});

describe("measureFunctions", () => {
  const measure = (text: string) => measureFunctions(text, "example.ts");

  it("counts each branch once, in the function that holds it", () => {
    const measured = measure(`function outer(a: number, b?: number) {
      if (a > 1 && b) return a ?? b;
      for (const c of [a]) while (c > 1) continue;
      switch (a) { case 1: return f(); case 2: if (b) return 0; return 1; default: return 2; }
      return [a].map((d) => (d ? 1 : 2));
    }`);
    expect(measured).toMatchObject([
      { complexity: 9, name: "outer" },
      { complexity: 2, name: "outer" },
    ]);
  });

  it("counts neither optional access nor a default", () => {
    expect(measure("const f = (a = 1, b?: { c: number }) => b?.c;")).toMatchObject([{ complexity: 1 }]);
  });

  it("does not count the cases of a switch that only maps", () => {
    const mapping =
      'switch (a) { case 1: case 2: return "few"; case 3: return String(a); default: return "many"; }';
    expect(measure(`function f(a: number) { ${mapping} }`)).toMatchObject([{ complexity: 1 }]);
    expect(
      measure(`function f(a: number) { ${mapping.replace('"few"', 'a ? "one" : "few"')} }`),
    ).toMatchObject([{ complexity: 5 }]);
  });

  it("counts the lines of nested functions, except for members of a returned object", () => {
    const inner = "{\n  one();\n  two();\n}";
    expect(measure(`function f() {\n  const g = () => ${inner};\n  return g;\n}`)).toMatchObject([
      { lines: 7, name: "f" },
      { lines: 4, name: "g" },
    ]);
    expect(measure(`function f() {\n  return {\n  g() ${inner},\n  };\n}`)).toMatchObject([
      { lines: 6, name: "f" },
      { lines: 4, name: "g" },
    ]);
  });

  it("does not count the lines of a literal of constants", () => {
    const table = (value: string) =>
      `function f() {\n  return [\n    { a: 1 },\n    { a: ${value} },\n  ];\n}`;
    expect(measure(table("2"))).toMatchObject([{ lines: 4 }]);
    expect(measure(table("a ? 1 : 2"))).toMatchObject([{ lines: 6 }]);
  });
});

type Measure = "complexity" | "lines";

function findOffenders(measure: Measure, max: number): string[] {
  return functions.filter((measured) => measured[measure] > max).map(describeFunction);
}

/** Describes the ten functions with the highest measure, for the failure message. */
function tellTop(measure: Measure): string {
  const sorted = functions.toSorted((a, b) => b[measure] - a[measure]);
  return `highest ${measure}:\n${sorted.slice(0, 10).map(describeFunction).join("\n")}`;
}

function describeFunction({
  complexity,
  file,
  line,
  lines,
  name,
}: MeasuredFunction & { file: string }): string {
  return `src/${file}:${line} ${name}: ${lines} lines, complexity ${complexity}`;
}
