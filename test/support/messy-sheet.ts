import { readUsAddresses } from "../../src/demo/data.ts";

/** A realistic customer sheet with real addresses: titles, damaged numbers, gaps, and totals. */
export function makeMess(): { customers: string[][]; withoutZip: number } {
  const header = ["Acct #", "Company", "Ship To Address", "Ship To City", "ST", "ZIP", "Phone", "Balance"];
  let withoutZip = 0;
  const rows = readUsAddresses().map(({ line_1, locality, postcode, region }, index) => {
    const hasZip = index % 40 !== 5;
    if (!hasZip) withoutZip++;
    const zip = hasZip ? postcode.replace(/^0+/, "") : "";
    const phone = index % 97 === 12 ? "2.02555E+09" : `202-555-${String(index).padStart(4, "0")}`;
    const name = index % 7 === 0 ? `  Customer   ${index} ` : `Customer ${index}`;
    return [
      String(1000 + index),
      name,
      line_1,
      locality,
      index % 3 === 0 ? region.toLowerCase() : region,
      zip,
      phone,
      "12.50",
    ];
  });
  const blank = header.map(() => "");
  const title = (text: string) => [text, ...blank.slice(1)];
  const total = ["TOTAL", ...blank.slice(2), String(rows.length * 12.5)];
  return {
    customers: [
      title("Acme Hauling"),
      title("Customer list"),
      title("as of 11/20/2026"),
      header,
      ...rows,
      total,
    ],
    withoutZip,
  };
}
