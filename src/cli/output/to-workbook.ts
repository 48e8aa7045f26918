/** A workbook of one sheet, whose first row is its header. Every cell is text: what an interface answers is no number of a spreadsheet. */
export async function toWorkbook(
  sheet: string,
  rows: readonly (readonly (string | number | boolean | null)[])[],
): Promise<Buffer> {
  // Loaded for workbooks only.
  const { default: writeWorkbook } = await import("write-excel-file/node");
  const data = rows.map((cells, index) =>
    cells.map((value) => {
      if (value === null || value === "") return null;
      const weight = index === 0 ? ({ fontWeight: "bold" } as const) : {};
      if (typeof value === "number") return { type: Number, value, ...weight };
      if (typeof value === "boolean") return { type: Boolean, value, ...weight };
      return { type: String, value, ...weight };
    }),
  );
  return writeWorkbook(data, { sheet: sheet.slice(0, sheetNameMax), stickyRowsCount: 1 }).toBuffer();
}

/** A sheet's name is no longer, by the format. */
const sheetNameMax = 31;
