/** A workbook of one sheet of texts, whose first row is its header: a number of a spreadsheet would lose its zeros. */
export async function toWorkbook(sheet: string, rows: readonly (readonly string[])[]): Promise<Buffer> {
  // Loaded for workbooks only.
  const { default: writeWorkbook } = await import("write-excel-file/node");
  const data = rows.map((cells, index) =>
    cells.map((value) => {
      if (value === "") return null;
      return { type: String, value, ...(index === 0 && { fontWeight: "bold" as const }) };
    }),
  );
  return writeWorkbook(data, { sheet: sheet.slice(0, sheetNameMax), stickyRowsCount: 1 }).toBuffer();
}

/** A sheet's name is no longer, by the format. */
const sheetNameMax = 31;
