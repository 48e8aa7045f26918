import { strToU8, zipSync } from "fflate";

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A cell: text, a number, a date or a time (stored as a number), a formula error, or nothing. */
export type SheetCell = string | number | null | { day: number } | { time: number } | { error: string };

/** Creates a workbook from the row XML of each sheet. The XML may be unusual. */
export function makeWorkbook(
  sheets: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Buffer {
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${names
      .map(
        (_, index) =>
          `<Relationship Id="r${index}" Type="${relations}/worksheet" Target="worksheets/s${index}.xml"/>`,
      )
      .join("")}<Relationship Id="st" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="18"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/s${index}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...others,
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)]))),
  );
}

/** The XML of rows by row number, without the missing rows. */
export function toRows(rows: Readonly<Record<number, readonly SheetCell[]>>): string {
  return Object.entries(rows)
    .map(([line, cells]) => {
      const shown = cells.map((cell, index) => toCell(`${String.fromCharCode(65 + index)}${line}`, cell));
      return `<row r="${line}">${shown.join("")}</row>`;
    })
    .join("");
}

function toCell(place: string, cell: SheetCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === "string")
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${cell.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</t></is></c>`;
  if ("error" in cell) return `<c r="${place}" t="e"><v>${cell.error}</v></c>`;
  return "day" in cell
    ? `<c r="${place}" s="1"><v>${cell.day}</v></c>`
    : `<c r="${place}" s="2"><v>${cell.time}</v></c>`;
}
