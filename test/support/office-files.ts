import { readUsAddresses } from "../../src/demo/data.ts";
import { makeWorkbook, type SheetCell, toRows } from "./make-workbook.ts";

const count = 24;

/** The name of a customer of the office files; the third has an é. */
const nameOf = (index: number) => (index === 2 ? "Café Two" : `Customer ${index} Roofing`);

/**
 * A realistic customer workbook with real addresses: merged titles, an extra sheet, gaps, ZIPs without leading zeros,
 * damaged phone numbers and extensions, a repeated customer, blank rows, and a total.
 */
export function makeCustomersXlsx(): Buffer {
  const rows: Record<number, SheetCell[]> = {
    1: ["Acme Hauling & Disposal"],
    2: ["Customers as of 11/20/2026"],
    4: ["Acct #", "Company", "Ship To Address", "Ship To City", "ST", "ZIP", "Phone", "Route"],
  };
  const addresses = readUsAddresses()
    .filter(({ locality, postcode }) => locality !== "" && /^\d{5}$/.test(postcode))
    .toSorted((a, b) => a.postcode.localeCompare(b.postcode))
    .slice(0, count);
  for (const [index, { line_1, locality, postcode, region }] of addresses.entries()) {
    const phone = index === 5 ? "2.02555E+09" : `(202) 555-${String(100 + index).padStart(4, "0")}`;
    rows[index + (index < 10 ? 5 : 6)] = [
      1000 + index,
      index % 3 === 0 ? `  ${nameOf(index)} ` : nameOf(index),
      line_1,
      locality,
      index % 4 === 0 ? region.toLowerCase() : region,
      index === 6 ? null : Number(postcode),
      index === 7 ? `${phone} x12` : phone,
      index === 8 ? { error: "#N/A" } : `R${index % 3}`,
    ];
  }
  rows[40] = rows[5] ?? [];
  rows[42] = ["TOTAL", null, null, null, null, null, String(count)];
  return makeWorkbook({ Cover: "", "Cust List": toRows(rows) });
}

/** The week's jobs as CSV in Windows-1252 with semicolons. It names customers, addresses, and trucks as people do. */
export function makeJobsCsv(): Buffer {
  const lines = [
    "Jobs for the week – Acme;;;;;",
    "WO #;Customer;Ship To;Job Date;Time;Service;Truck",
    `WO1;1003;;12/1/2026;8:00 AM;Drop-off;truck 7`,
    `WO2;${nameOf(2).toUpperCase()};;Tue 12/1/2026;8-10am;pick up;7`,
    "WO3;1007;;46357;;Swap;",
    ";;;;;;",
    `WO4;Customer 99 Roofing;;12/1/2026;;Swap;`,
    "Total jobs: 4;;;;;;",
  ];
  return Buffer.from(lines.join("\r\n").replace("–", "\u0096"), "latin1");
}
