/** Text cells: as numbers, codes would lose leading zeros. */
export async function toWorkbook(sheet: string, rows: readonly (readonly string[])[]): Promise<Buffer> {
  const { default: writeWorkbook } = await import("write-excel-file/node");
  const data = rows.map((cells, index) =>
    cells.map((value) => {
      if (value === "") return null;
      return { type: String, value, ...(index === 0 && { fontWeight: "bold" as const }) };
    }),
  );
  return writeWorkbook(data, { sheet: sheet.slice(0, sheetNameMax), stickyRowsCount: 1 }).toBuffer();
}

const sheetNameMax = 31;
