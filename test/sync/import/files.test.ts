import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { useTempFolder } from "../../support/temp-folder.ts";

const folder = useTempFolder();
const env = { DISPATCH_DATA: join(folder, "store.db") };
let made = 0;

/** Writes a file to import, under a new name each time. */
function write(content: string | Buffer, extension = "csv"): string {
  const file = join(folder, `${++made}.${extension}`);
  writeFileSync(file, content);
  return file;
}

/** Returns the plan of an import of trucks from a file. */
async function planTrucks(file: string, ...options: string[]) {
  const { code, stdout, stderr } = await runCommand(
    ["import", "trucks", file, "--plan", "-o", "json", ...options],
    { env },
  );
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Plan;
}

interface Plan {
  counts: Record<"create" | "update" | "same" | "reject", number>;
  rows: {
    action: string;
    body?: { name: string; notes?: string };
    line: number;
    errors?: { detail: string }[];
  }[];
}

/** Returns the error for an unreadable file. Expects exit code 2. */
async function refusal(file: string, ...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(["import", "trucks", file, "--yes", ...options], { env });
  expect([code, stdout]).toEqual([2, ""]);
  return stderr.replaceAll(`${folder}/`, "");
}

const names = ({ rows }: Plan) => rows.map(({ body }) => body?.name);
const lines = ({ rows }: Plan) => rows.map(({ line }) => line);
const errors = ({ rows }: Plan) =>
  rows.flatMap(({ line, errors = [] }) => errors.map(({ detail }) => `${line}: ${detail}`));

beforeAll(async () => {
  await runCommand(["init", "--tenant", "Acme", "--location", "Yard"], { env });
});

describe("CSV", () => {
  it.each([
    ["plain", "name,notes\nT1,a\nT2,b\n"],
    ["without a last line end", "name,notes\nT1,a\nT2,b"],
    ["with CRLF", "name,notes\r\nT1,a\r\nT2,b\r\n"],
    ["with a mixture of line ends", "name,notes\r\nT1,a\nT2,b\r\n"],
    ["with a byte order mark", "\ufeffname,notes\nT1,a\nT2,b\n"],
    ["with semicolons", "name;notes\nT1;a\nT2;b\n"],
    ["with tabs", "name\tnotes\nT1\ta\nT2\tb\n"],
    ["with other names of columns", "Name,NOTES \nT1,a\nT2,b\n"],
    ["with empty lines and rows between", "\nname,notes\n\nT1,a\n,\nT2,b\n\n,\n"],
    ["in UTF-16", Buffer.from("\ufeffname,notes\nT1,a\nT2,b\n", "utf16le")],
  ])("is read %s", async (_, content) => {
    const plan = await planTrucks(write(content));
    expect([names(plan), plan.rows.map(({ body }) => body?.notes)]).toEqual([
      ["T1", "T2"],
      ["a", "b"],
    ]);
  });

  it("keeps quotes, delimiters and line breaks inside of a cell, and counts lines by them", async () => {
    const plan = await planTrucks(write('name,notes\n"T, ""one""","first\r\nsecond"\n\nT2,"a\nb\nc"\nT3,\n'));
    expect([names(plan), lines(plan)]).toEqual([
      ['T, "one"', "T2", "T3"],
      [2, 5, 8],
    ]);
    expect(plan.rows[0]?.body?.notes).toBe("first\r\nsecond");
  });

  it("uses the delimiter of the option", async () => {
    expect(names(await planTrucks(write("name|notes\nT1|a,b;c\n"), "--delimiter", "|"))).toEqual(["T1"]);
    expect(await refusal(write("name\nx\n"), "--delimiter", "||")).toContain(
      "--delimiter must be one character",
    );
  });

  it("rejects a row with too few or too many cells, by its line", async () => {
    const plan = await planTrucks(write("name,notes\nT1\nT2,b\nT3,c,d\n"));
    expect(errors(plan)).toEqual([
      "2: The row has 1 cell, the header has 2.",
      "4: The row has 3 cells, the header has 2.",
    ]);
    expect(plan.counts).toEqual({ create: 1, update: 0, same: 0, reject: 2 });
  });

  it("rejects a value in a column without a name, and ignores an empty one", async () => {
    const plan = await planTrucks(write("name,,\nT1,,\nT2,,x\n"));
    expect(errors(plan)).toEqual(["3: The cell in column 3 has a value, but the column has no name."]);
  });

  it("refuses an unclosed quote, naming the line of its row", async () => {
    expect(await refusal(write('name,notes\nT1,a\nT2,"b\nT3,c\n'))).toBe(
      "error: The file cannot be read\n" +
        `  why: ${made}.csv: a quote in the row that begins on line 3 is never closed.\n` +
        "  fix: Correct the file as the line above says; nothing was changed.\n",
    );
  });

  it("refuses a quote in the middle of a cell", async () => {
    expect(await refusal(write('name,notes\nT1,19" pipe\n'))).toContain(
      "the row that begins on line 2 has a quote where none can be",
    );
    expect(await refusal(write('name,notes\n"T1"x,a\n'))).toContain(
      "the row that begins on line 2 has a quote where none can be",
    );
  });

  it("refuses bytes that are not UTF-8, naming the line, and reads them as Latin-1 on request", async () => {
    const file = write(Buffer.concat([Buffer.from("name\nT1\nCaf"), Buffer.from([0xe9, 0x20, 0x80, 0x0a])]));
    expect(await refusal(file)).toContain(
      `${made}.csv: line 3 is not UTF-8; save it as UTF-8, or pass --encoding windows-1252.`,
    );
    expect(names(await planTrucks(file, "--encoding", "latin1"))).toEqual(["T1", "Café €"]);
  });

  it("names the line of an invalid byte near the end of a large file", async () => {
    const good = "Ünïcode 株式会社\n".repeat(20_000);
    const file = write(Buffer.concat([Buffer.from(`name\n${good}`), Buffer.from([0xff, 0x0a])]));
    expect(await refusal(file)).toContain("line 20002 is not UTF-8");
  });

  it("refuses a row of 100 MB before it is read to its end", async () => {
    expect(await refusal(write(`name,notes\nT1,${"x".repeat(100_000_000)}\n`))).toContain(
      "the row that begins on line 2 is longer than 1 MiB; a quote may not be closed.",
    );
  });

  it("rejects a NUL character in a row, and refuses a file that starts with some", async () => {
    // The check covers only the first bytes; this NUL comes after them.
    const long = Array.from({ length: 50 }, (_, index) => `T${index},${"x".repeat(2000)}\n`).join("");
    const late = `name,notes\n${long}T49,a\nT50,a\0b\n`;
    const plan = await planTrucks(write(late));
    expect(errors(plan).at(-1)).toBe("53: notes must not hold NUL characters or halves of surrogate pairs.");
    expect(plan.counts).toMatchObject({ create: 49, reject: 3 });
    expect(await refusal(write("n\0a\0m\0e\0\n\0"))).toContain("it holds NUL characters, so it is not text");
  });

  it("refuses an empty file, and does nothing for a header alone", async () => {
    expect(await refusal(write(""))).toContain("it is empty.");
    expect(await refusal(write(" \n\n"))).toContain("it is empty.");
    const { code, stdout, stderr } = await runCommand(["import", "trucks", write("name,notes\n")], { env });
    expect([code, stdout.replace(/.*\//, ""), stderr]).toEqual([
      0,
      `${made}.csv has no rows; there is nothing to do.\n`,
      "",
    ]);
  });
});

describe("columns", () => {
  it("without a field are refused before any change, with the nearest field and all fields", async () => {
    const text = await refusal(write("name,noets,whatever\nT1,a,b\n"));
    expect(text).toContain('why: Column "noets" is not a field of trucks; did you mean notes?\n');
    expect(text).toContain('why: Column "whatever" is not a field of trucks.\n');
    expect(text).toContain("The columns of trucks are out_of_service, require_odometer,");
  });

  it("without a field are ignored with the option, and mapped ones set their field", async () => {
    const file = write("Fahrzeug,noets\nT1,a\n");
    expect(names(await planTrucks(file, "--map", "Fahrzeug=name", "--ignore-unknown"))).toEqual(["T1"]);
    const wrong = await refusal(file, "--map", "Wagen=name", "--map", "Fahrzeug=nmae", "--map", "x");
    expect(wrong).toContain("--map takes column=field");
    const unknown = await refusal(file, "--map", "Wagen=name", "--map", "Fahrzeug=nmae");
    expect(unknown).toContain('--map names the column "Wagen", which the file does not have.');
    expect(unknown).toContain("--map Fahrzeug=nmae: no field nmae exists.");
  });

  it("with the same name or the same field are refused by name", async () => {
    const text = await refusal(write("name,notes,notes,Name\nT1,a,b,c\n"));
    expect(text).toContain('Column "notes" is in the file twice.');
    expect(text).toContain('Columns "name" and "Name" both mean name.');
  });

  it("may be 300, and the error names all except one", async () => {
    const headers = ["name", ...Array.from({ length: 299 }, (_, index) => `extra ${index}`)];
    const text = await refusal(write(`${headers.join(",")}\n${headers.join(",")}\n`));
    expect(text.match(/is not a field of trucks/g)).toHaveLength(299);
    const plan = await planTrucks(write(`${headers.join(",")}\n${headers.join(",")}\n`), "--ignore-unknown");
    expect(names(plan)).toEqual(["name"]);
  });

  it("without the key are refused, unless an option creates rows without a key", async () => {
    expect(await refusal(write("notes\na\n"))).toContain("The file has no column for name");
    const named = await runCommand(["import", "customers", write("name\nBo Lin\n"), "--plan"], { env });
    expect(named.stderr).toContain(
      "Add `--key name` to match by name. If the column has another title, use --map.",
    );
    const nameless = await planTrucks(write("notes\na\n"), "--create-without-key");
    expect(errors(nameless)).toEqual(["2: name is required."]);
  });
});

describe("JSON", () => {
  it("is read as one object per line, and any other line is rejected", async () => {
    const file = write(
      '{"name":"T1"}\r\n\n{"name":"T2",}\n[1]\n{"name":"T3","name":"T4"}\n{"name":"T5"}',
      "ndjson",
    );
    const plan = await planTrucks(file);
    expect(names(plan).filter((name) => name)).toEqual(["T1", "T5"]);
    expect(errors(plan)).toEqual([
      expect.stringMatching(/^3: The row is not valid JSON: /),
      "4: The row is not a JSON object.",
      '5: The row has the key "name" twice in one object.',
    ]);
  });

  it("is read as a list, and any other value is refused", async () => {
    expect(names(await planTrucks(write('[{"name":"T1"}, {"name":"T2"}]', "json")))).toEqual(["T1", "T2"]);
    expect(await refusal(write('{"name":"T1"}', "json"))).toContain("it is JSON, but not a list of objects");
    expect(await refusal(write("[{", "json"))).toContain("it is not valid JSON: ");
    expect(names(await planTrucks(write("[]", "json")))).toEqual([]);
  });

  it("is recognized by its first bytes if the file name does not show it", async () => {
    expect(names(await planTrucks(write('[{"name":"T1"}]', "data")))).toEqual(["T1"]);
    expect(names(await planTrucks(write('{"name":"T1"}\n{"name":"T2"}', "data")))).toEqual(["T1", "T2"]);
    expect(names(await planTrucks(write("name\nT1\n", "data")))).toEqual(["T1"]);
  });

  it("refuses a line of ndjson that is longer than the limit for bodies", async () => {
    expect(await refusal(write(`{"name":"${"x".repeat(3_000_000)}`, "ndjson"))).toContain(
      "line 1 is longer than 1 MiB",
    );
  });
});

describe("the file", () => {
  it("that does not exist, or is a folder, causes a specific error", async () => {
    expect(await refusal(join(folder, "none.csv"))).toContain(
      "none.csv cannot be read: there is no such file.",
    );
    expect(await refusal(folder)).toContain("cannot be read: it is a folder.");
  });

  it("may be standard input, whose rejects go to the current folder", async () => {
    const home = process.cwd();
    process.chdir(folder);
    try {
      const input = "name,weight\nS1,1\nS2,x\n";
      const { code, stdout } = await runCommand(["import", "trucks", "-", "--yes"], { env, input });
      expect([code, stdout]).toEqual([
        2,
        "Standard input: 1 created, 0 updated, 0 the same, 1 rejected.\n" +
          "The rejected rows are in import.rejects.csv, each with its error. Correct them there and import that file.\n",
      ]);
      expect(readFileSync("import.rejects.csv", "utf8")).toBe(
        "error,name,weight\r\nweight must be a number.,S2,x\r\n",
      );
    } finally {
      process.chdir(home);
    }
  });
});
