import { extractText, extractTextItems, getDocumentProxy } from "unpdf";
import { describe, expect, it } from "vitest";
import type { Pack, PackLocation, PackStop, PackTruck } from "../../src/documents/pack/pack.ts";
import { renderPackPdf } from "../../src/documents/pack/pack-pdf.ts";

const pack: Pack = {
  date: "2026-12-01",
  hasSummary: true,
  locations: [],
  paper: "letter",
  printedOn: "2026-12-01T13:05:00.000000",
  tenantName: "Cascade Roll-Off",
};

const location: PackLocation = {
  declined: [],
  distanceLabel: "mi",
  idle: ["Truck 3", "Truck 9 (out of service)"],
  late: [],
  name: "North Yard",
  clock: "12h",
  timeZone: "America/Denver",
  totals: ["7 jobs", "5 open"],
  trucks: [],
  unassigned: [],
  yard: { latitude: 39.7, longitude: -104.9 },
};

function aTruck(name: string, stops: PackStop[]): PackTruck {
  return { driver: `Driver of ${name}`, name, stops, totals: [`${stops.length} stops`] };
}

/** A stop whose fields all differ from every other stop's. */
function aStop(number: number, changes: Partial<PackStop> = {}): PackStop {
  return {
    address: [`${number} Old Mill Road`, "Denver, CO 80202"],
    assetIn: `20 yd R-${number}`,
    assetOut: `30 yd S-${number}`,
    contact: { name: `Dana ${number}`, phone: `303-555-${number}` },
    customer: `Customer ${number}`,
    isApproximate: false,
    notes: [{ label: "Dispatcher", text: `Gate code ${number}#` }],
    orderNumber: 5000 + number,
    place: { latitude: 39.6 + ((number * 7) % 40) / 200, longitude: -105 + ((number * 13) % 40) / 200 },
    reference: `PO-${number}`,
    requirements: ["signature", "weights"],
    stop: { isLate: false, number },
    timeWindow: "8:00–10:00",
    type: "Drop-off",
    ...changes,
  };
}

const manyStops = (count: number) => Array.from({ length: count }, (_, index) => aStop(index + 1));

/** Returns the text of each page without white space, because line breaks do not matter. */
async function printPages(changes: Partial<Pack>): Promise<string[]> {
  const { bytes } = await renderPackPdf({ ...pack, ...changes }, { fonts: [] });
  const { text } = await extractText(new Uint8Array(bytes));
  return text.map(squeeze);
}

const squeeze = (text: string) => text.normalize("NFC").replace(/\s/g, "");

describe("the PDF pack of a day", () => {
  it("has a summary for the office, then a part for each truck on its own pages", async () => {
    const trucks = [aTruck("Truck 1", manyStops(12)), aTruck("Truck 2", [aStop(1)])];
    const pages = await printPages({ locations: [{ ...location, trucks }] });
    const titles = pages.map((page) => /Yard(Summary|Truck\d)Page(\d+of\d+)/.exec(page)?.slice(1).join(" "));
    const first = titles.filter((title) => title?.startsWith("Truck1"));
    expect(first.length).toBeGreaterThan(1);
    expect(titles).toEqual([
      "Summary 1of1",
      ...first.map((_, index) => `Truck1 ${index + 1}of${first.length}`),
      "Truck2 1of1",
    ]);
  });

  it("leaves no stop alone on a page, and shrinks the map where that saves a page", async () => {
    const stopsOf = async (count: number) => {
      const pages = await printPages({
        hasSummary: false,
        locations: [{ ...location, trucks: [aTruck("Truck 1", manyStops(count))] }],
      });
      return pages.map((page) => page.match(/Gatecode/g)?.length ?? 0);
    };
    const all: number[][] = [];
    for (let count = 2; count <= 12; count++) all.push(await stopsOf(count));
    expect(all.filter((pages) => pages.includes(1))).toEqual([]);
    expect(all.map(({ length }) => length)).toEqual([1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
  });

  it("lists trucks with drivers, idle drivers, and late and unassigned jobs for the office", async () => {
    const line = { customer: "Potomac", jobId: 77, time: "8:00–10:00", type: "Pickup", where: "Boulder" };
    const late = [{ ...line, jobId: 78, where: "Truck 1, stop 1" }];
    const trucks = [aTruck("Truck 1", [aStop(1)])];
    const declined = [{ ...line, jobId: 79, where: "Truck 1, stop 4" }];
    const office = { ...location, declined, late, trucks, unassigned: [line] };
    const [summary] = await printPages({ locations: [office] });
    for (const words of [
      "7 jobs · 5 open",
      "On no truck: 1 Job 77 Pickup 8:00–10:00 Potomac Boulder",
      "Declined: 1 Job 79 Pickup 8:00–10:00 Potomac Truck 1, stop 4",
      "Late: 1 Job 78 Pickup 8:00–10:00 Potomac Truck 1, stop 1",
      "Truck 1 Driver of Truck 1 1 stops",
      "Without open jobs: 2 Truck 3, Truck 9 (out of service)",
    ])
      expect(summary).toContain(squeeze(words));
  });

  it("shows each stop with its number, window, contact, telephone, assets, requirements and notes, in order", async () => {
    const stops = [aStop(4, { stop: { isLate: true, number: 4 } }), aStop(2), aStop(9)];
    const pages = await printPages({ locations: [{ ...location, trucks: [aTruck("Truck 1", stops)] }] });
    const text = pages.slice(1).join("");
    for (const number of [4, 2, 9])
      for (const words of [
        `${number} Job ${5000 + number}`,
        "8:00–10:00",
        `Dana ${number} 303-555-${number}`,
        `Asset in 20 yd R-${number}`,
        `Asset out 30 yd S-${number}`,
        "Requirements signature · weights",
        `Gate code ${number}#`,
        `PO-${number}`,
      ])
        expect(text).toContain(squeeze(words));
    expect(text.match(/Job50\d\d(LATE)?/g)).toEqual(["Job5004LATE", "Job5002", "Job5009"]);
  });

  it("names the zone of its times once on a page", async () => {
    const pages = await printPages({ locations: [{ ...location, trucks: [aTruck("T", [aStop(1)])] }] });
    for (const page of pages) {
      expect(page).toContain(squeeze("Day Tue Dec 1 2026 Printed 2026-12-01 6:05 am Times America/Denver"));
      expect(page.match(/Denver(?!,CO)/g)).toHaveLength(1);
    }
  });

  it("names the stops that are not on the map, and omits an empty map", async () => {
    const nowhere = { place: null };
    const some = aTruck("Some", [aStop(1), aStop(2, nowhere), aStop(3, nowhere)]);
    const none = aTruck("None", [aStop(1, nowhere)]);
    const [, first, second] = await printPages({ locations: [{ ...location, trucks: [some, none] }] });
    expect(first).toContain(squeeze("Not on the map, because they have no coordinates: stops 2, 3."));
    expect(first).toMatch(/\d(?:mi|km)/);
    expect(second).not.toMatch(/Notonthemap|N↑/);
  });

  it("marks approximate stops on the map, and draws those at one place as one marker with a count", async () => {
    const about = { isApproximate: true, place: { latitude: 39.7, longitude: -104.95 } };
    const elsewhere = { isApproximate: true };
    const stops = [aStop(1), aStop(2, about), aStop(3, about), aStop(4, elsewhere)];
    const [, first] = await printPages({ locations: [{ ...location, trucks: [aTruck("Some", stops)] }] });
    expect(first).toContain(squeeze("~ is approximate, because only the ZIP is known: stops 2, 3, 4."));
    for (const chip of ["~ 2 stops", "~4"]) expect(first).toContain(squeeze(chip));
  });

  it("notes a missing telephone number, and the number of pages with missing characters", async () => {
    const silent = aStop(1, { contact: { name: "Kim", phone: null } });
    const strange = aStop(2, { contact: null, customer: "東京 Hauling" });
    const locations = [{ ...location, trucks: [aTruck("T", [silent]), aTruck("U", [strange])] }];
    const [, first, second] = await printPages({ locations });
    expect([first, second].map((page) => page?.match(/Kim|notelephonenumber/g))).toEqual([
      ["Kim", "notelephonenumber"],
      ["notelephonenumber"],
    ]);
    expect((await renderPackPdf({ ...pack, locations }, { fonts: [] })).lackingPages).toBe(1);
  });

  it("starts a note that is longer than a page below the map, on the first page", async () => {
    const text = Array.from({ length: 120 }, (_, index) => `L${index}.`).join("\n");
    const stop = aStop(1, { notes: [{ label: "Dispatcher", text }] });
    const [, first, second] = await printPages({
      locations: [{ ...location, trucks: [aTruck("T", [stop])] }],
    });
    expect(first).toContain("L0.");
    expect(`${first}${second}`.match(/L\d+\./g)?.join("\n")).toContain(text.slice(0, 200));
  });

  it("omits the summary if trucks are named", async () => {
    const trucks = [aTruck("Truck 1", [aStop(1)])];
    const pages = await printPages({ hasSummary: false, locations: [{ ...location, trucks }] });
    expect(pages).toHaveLength(1);
    expect(pages[0]).not.toContain("Summary");
  });

  it("has the same bytes for the same day", async () => {
    const locations = [{ ...location, trucks: [aTruck("Truck 1", manyStops(5))] }];
    const [one, other] = [
      await renderPackPdf({ ...pack, locations }, { fonts: [] }),
      await renderPackPdf({ ...pack, locations }, { fonts: [] }),
    ];
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });

  it.each([
    ["letter", 612, 792],
    ["a4", 595.28, 841.89],
  ] as const)(
    "fits on %s paper, also with 40 stops at few places and long texts",
    async (paper, width, height) => {
      const word = "W".repeat(2048);
      const stops = [
        ...manyStops(40).map((stop, index) => ({
          ...stop,
          place: { latitude: 39 + (index % 3) / 50, longitude: -105 },
        })),
        aStop(41, {
          contact: { name: word.slice(0, 128), phone: "9".repeat(90) },
          notes: [{ label: "Driver", text: word }],
        }),
      ];
      const line = {
        customer: word.slice(0, 64),
        jobId: 2 ** 40,
        time: "8:00–10:00",
        type: word.slice(0, 64),
        where: word,
      };
      const locations = [
        { ...location, late: [line], trucks: [aTruck("W".repeat(64), stops)], unassigned: [line] },
      ];
      const { bytes } = await renderPackPdf({ ...pack, locations, paper }, { fonts: [] });
      const document = await getDocumentProxy(new Uint8Array(bytes));
      expect((await document.getPage(1)).view).toEqual([0, 0, width, height]);
      const { items } = await extractTextItems(document);
      const letters = items
        .flat()
        .filter(({ str }) => str.includes("W"))
        .reduce((sum, { str }) => sum + str.length, 0);
      expect(letters).toBeGreaterThan(3 * 2048);
      for (const item of items.flat()) {
        expect(item.x).toBeGreaterThanOrEqual(36 - 1);
        expect(item.x + item.width).toBeLessThanOrEqual(width - 36 + 1);
        expect(item.y).toBeGreaterThanOrEqual(36 - 1);
        expect(item.y).toBeLessThanOrEqual(height - 36);
      }
    },
  );

  it("prints 1,000 jobs on 40 trucks, each once", async () => {
    const trucks = Array.from({ length: 40 }, (_, index) => aTruck(`Truck ${index + 1}`, manyStops(25)));
    const pages = await printPages({ locations: [{ ...location, trucks }] });
    expect(pages.join("").match(/Job50\d\d/g)).toHaveLength(1000);
  });
});
