import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readRows } from "../../../src/sync/rows/read-rows.ts";
import { unpackWorkbook } from "../../../src/sync/rows/read-xlsx.ts";
import { makeWorkbook, toRows } from "../../support/make-workbook.ts";

/** Reads bytes as `import` reads a file. */
async function read(bytes: Buffer, sheet: string | null = null) {
  return readRows("-", toStream(bytes), {
    delimiter: null,
    encoding: "utf-8",
    headerRow: null,
    isColumn: () => false,
    isRaw: false,
    pace: { step: async () => undefined },
    sheet,
  });
}

async function* toStream(bytes: Buffer) {
  yield bytes;
}

const refusal = (bytes: Buffer) =>
  read(bytes).then(
    () => "read",
    (error: unknown) => String(error),
  );

const header = toRows({ 1: ["name"] });
const textsOf = ({ rows }: Awaited<ReturnType<typeof read>>) => rows.map(({ line, text }) => [line, text]);

describe("a file other than XLSX and CSV is refused by its name", () => {
  const zip = (parts: Record<string, string>) =>
    Buffer.from(
      zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)]))),
    );
  it.each([
    [
      "a workbook with a password",
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      "with a password, or of the old form .xls",
    ],
    ["a page", Buffer.from("\ufeff\n<HTML><table>"), "a page of HTML or XML"],
    ["a PDF", Buffer.from("%PDF-1.7\n"), "a PDF"],
    [
      "OpenDocument",
      zip({ mimetype: "application/x", "content.xml": "<x/>" }),
      "an OpenDocument file (.ods)",
    ],
    ["a binary workbook", zip({ "xl/workbook.bin": "x" }), "a binary workbook (.xlsb)"],
    ["another archive", zip({ "readme.txt": "x" }), "a zip archive, but not a workbook"],
    ["a workbook that is cut off", makeWorkbook({ S: header }).subarray(0, 300), "damaged or has a password"],
  ])("%s", async (_, bytes, told) => {
    expect(await refusal(bytes)).toContain(told);
  });
});

describe("limits on reading a workbook", () => {
  it("restrict the unpacked size, whatever it declares", async () => {
    const bytes = makeWorkbook({ S: header });
    // The offset where the archive's directory stores the size of its first part.
    const at = bytes.indexOf("PK\u0001\u0002", 0, "latin1") + 24;
    bytes.writeUInt32LE(300 * 1024 * 1024, at);
    expect(await refusal(bytes)).toContain("it holds more than 256 MiB; save the sheet as CSV");
    bytes.writeUInt32LE(10, at);
    expect(await refusal(bytes)).toContain("it is not a readable workbook");
  });

  it("restrict parts, rows and columns, and the content of a row", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`docs/${index}`, ""]));
    expect(await refusal(makeWorkbook({ S: header }, many))).toContain("more than 10000 parts");
    const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
    expect(await refusal(makeWorkbook({ S: header + far }))).toContain(
      "spans 1048576 rows and 16384 columns",
    );
    const beyond = '<row r="9999999999"><c r="A9999999999"><v>1</v></c></row>';
    expect(await refusal(makeWorkbook({ S: header + beyond }))).toContain("a cell at 9999999999");
    const long = toRows({ 2: ["x".repeat(2 ** 20)] });
    expect(await refusal(makeWorkbook({ S: header + long }))).toContain("row 2 is longer than 1 MiB");
  });

  it("has a limit for rows that are only formatted: a column that ends in line 1048576 is not read", async () => {
    const empty = Array.from(
      { length: 2000 },
      (_, index) => `<row r="${index + 5}"><c r="A${index + 5}" s="1"/></row>`,
    );
    const bytes = makeWorkbook({ S: header + toRows({ 4: ["T1"] }) + empty.join("") });
    expect(unpackWorkbook(bytes, "x").bytes.length).toBeLessThan(10_000);
    expect(textsOf(await read(bytes))).toEqual([[4, '["T1"]']]);
  });
});

describe("a workbook", () => {
  it("provides the saved values of formulas, counts their errors, and follows no link or entity", async () => {
    const formula = '<row r="2"><c r="A2" t="str"><f>[1]Other!A1</f><v>T2</v></c></row>';
    const sheet = header + formula + toRows({ 3: [{ error: "#N/A" }, "x"], 4: ["&x;"] });
    const file = await read(makeWorkbook({ S: sheet }, { "xl/externalLinks/externalLink1.xml": "<x" }));
    expect(textsOf(file).map(([, text]) => text)).toEqual(['["T2",""]', '["","x"]', '["&x;",""]']);
    expect(file.notes).toContain("1 cell holds the error of a formula, treated as empty.");
  });

  it("has sheets; the import reads one by name or number, and lists them", async () => {
    const bytes = makeWorkbook({
      Cover: "",
      Fleet: header + toRows({ 2: ["T1"] }),
      Old: header + toRows({ 2: ["T0"] }),
    });
    const first = await read(bytes);
    expect(textsOf(first)).toEqual([[2, '["T1"]']]);
    expect(first.notes).toEqual(['Sheet "Fleet" is read, not Cover, Old; --sheet names another.']);
    for (const name of ["old", "3"]) expect(textsOf(await read(bytes, name))).toEqual([[2, '["T0"]']]);
    await expect(read(bytes, "New")).rejects.toThrow('no sheet "New"; its sheets are Cover, Fleet, Old');
    await expect(read(Buffer.from("name\n"), "Old")).rejects.toThrow(
      "is not a workbook, so it has no sheets",
    );
  });
});
