import { describe, expect, it } from "vitest";
import { parseAddress } from "../../src/geography/parse-address.ts";

/** line_1, locality, region, postcode, country, and further lines. */
const understood: [line: string, ...parts: (string | undefined)[]][] = [
  ["1745 T St SE, Washington DC 20020", "1745 T St SE", "Washington", "DC", "20020", "US"],
  ["1745 T St SE, Washington, DC, 20020", "1745 T St SE", "Washington", "DC", "20020", "US"],
  ["1745 T St SE Washington, D.C. 20020", "1745 T St SE", "Washington", "DC", "20020", "US"],
  ["1745 T St SE Washington DC 20020-1234", "1745 T St SE", "Washington", "DC", "20020-1234", "US"],
  ["1745 T St SE, Washington 20020", "1745 T St SE", "Washington", "DC", "20020", "US"],
  ["100 main st ne washington dc 20002", "100 main st ne", "washington", "DC", "20002", "US"],
  ["100 Main St NE", "100 Main St NE", undefined, undefined, undefined, undefined],
  ["12 Elm Rd, Omaha, NE", "12 Elm Rd", "Omaha", "NE", undefined, "US"],
  ["9 Pine Street, Seattle, Washington 98101", "9 Pine Street", "Seattle", "WA", "98101", "US"],
  ["1 Broadway, New York 10004", "1 Broadway", "New York", "NY", "10004", "US"],
  ["1 Broadway, New York, New York 10004, USA", "1 Broadway", "New York", "NY", "10004", "US"],
  ["100 Main St St Louis MO 63101", "100 Main St", "St Louis", "MO", "63101", "US"],
  ["45 Mill Plaza Ave Boston MA 02118", "45 Mill Plaza Ave", "Boston", "MA", "02118", "US"],
  ["45 Mill Ave Apt 4 Boston MA 02118", "45 Mill Ave Apt 4", "Boston", "MA", "02118", "US"],
  ["PO Box 12, Concord, New Hampshire", "PO Box 12", "Concord", "NH", undefined, "US"],
  ["314 South Rd, Hartford", "314 South Rd", "Hartford", undefined, undefined, undefined],
  ["314 South Rd 06106", "314 South Rd", undefined, "CT", "06106", "US"],
  ["20 King St W, Toronto ON m5h 1a1", "20 King St W", "Toronto", "ON", "M5H 1A1", "CA"],
  ["Gate 3, 4 Dock Rd, Baltimore MD 21230", "Gate 3", "Baltimore", "MD", "21230", "US", "4 Dock Rd"],
  ["4 Dock Rd, Suite 9, Baltimore MD 21230", "4 Dock Rd", "Baltimore", "MD", "21230", "US", "Suite 9"],
  ["4 Dock Rd, Suite 9", "4 Dock Rd", undefined, undefined, undefined, undefined, "Suite 9"],
];

describe("an address in one line", () => {
  it.each(understood)("%s", (line, line_1, locality, region, postcode, country, line_2) => {
    const parts = { country, line_1, line_2, locality, postcode, region };
    const found = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
    expect(parseAddress(line)).toEqual(found);
  });

  it.each(["", "Potomac", "20020", "oak street", "DC 20020", "a, b, c, d, e DC 20020"])(
    "is not understood in %o",
    (line) => {
      expect(parseAddress(line)).toBeNull();
    },
  );
});
