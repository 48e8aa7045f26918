import { createRequire } from "node:module";
import { extractText, extractTextItems, getDocumentProxy } from "unpdf";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type JobListDocument, renderJobListPdf } from "../../src/documents/job-list-pdf.ts";
import type { JobListRow } from "../../src/documents/job-row.ts";

const require = createRequire(import.meta.url);

const list: JobListDocument = {
  tenantName: "Cascade Roll-Off & Recycling",
  locationName: "North Yard",
  truckName: "Truck 12",
  driverName: "Maria Kowalska",
  dateRange: { from: "Mon Mar 2", to: "Sun Mar 8" },
  printedOn: "2026-03-01T18:05:59.000000",
  clock: "12h",
  timeZone: "America/Denver",
  paper: "letter",
  jobs: [],
  unprinted: 0,
};

/** A job whose fields all differ from every other job's. */
function makeJob(index: number, changes: Partial<JobListRow> = {}): JobListRow {
  return {
    orderNumber: 10_000 + index,
    stop: null,
    type: "Drop-off",
    customer: `Customer ${index} Roofing & Sons`,
    address: [`${index} Old Mill Road`, "Suite 4", `Springfield ${index}, IL 62701`],
    contact: { name: `Dana ${index} Smith`, phone: `202-555-${index}` },
    assetIn: `20 yd roll-off R-${index}`,
    assetOut: `30 yd closed top S-${index}`,
    timeWindow: `Mon Mar 2\n7:${index % 60}–11:45`,
    requirements: ["Photo", `Weights of load ${index}`],
    notes: [
      {
        label: "Driver notes",
        text: `Gate code ${index}#. Back in from the alley.\nAsk for number ${index}.`,
      },
    ],
    reference: `PO-${index}`,
    ...changes,
  };
}

function makeJobs(count: number): JobListRow[] {
  return Array.from({ length: count }, (_, index) => makeJob(index));
}

function textsOf(job: JobListRow): string[] {
  const {
    orderNumber,
    type,
    customer,
    address,
    contact,
    assetIn,
    assetOut,
    timeWindow,
    requirements,
    notes,
    reference,
  } = job;
  const called = [contact?.name ?? null, contact?.phone ?? null];
  const optional = [...called, assetIn, assetOut, timeWindow, reference].filter((value) => value !== null);
  const labelled = notes.flatMap((note) => [note.label, note.text]);
  return [String(orderNumber), type, customer, ...address, ...optional, ...requirements, ...labelled];
}

/** Returns the text of each page without white space, because line breaks do not matter. */
async function printPages(changes: Partial<JobListDocument>, fonts: string[] = []): Promise<string[]> {
  const pdf = await renderJobListPdf({ ...list, ...changes }, { fonts });
  const { text } = await extractText(new Uint8Array(pdf));
  return text.map(squeeze);
}

function squeeze(text: string): string {
  return text.normalize("NFC").replace(/\s/g, "");
}

/** A text of that length whose words all differ. */
function longText(name: string, length: number): string {
  const words = Array.from({ length }, (_, index) => `${name}${index}`).join(" ");
  return `${words.slice(0, length - 1)}.`;
}

describe("a job list", () => {
  it("prints every word of 100 jobs, and each job on one page", async () => {
    const jobs = makeJobs(100);
    const pages = await printPages({ jobs });
    for (const job of jobs) {
      const page = pages.find((text) => text.includes(squeeze(job.customer)));
      for (const text of textsOf(job)) expect(page).toContain(squeeze(text));
    }
    expect(pages.join("")).not.toContain("continued");
  });

  it("prints the jobs in the given order", async () => {
    const jobs = makeJobs(30).reverse();
    const printed = (await printPages({ jobs })).join("").match(/Customer\d+Roofing/g);
    expect(printed).toEqual(jobs.map((job) => squeeze(`Customer ${job.orderNumber - 10_000} Roofing`)));
  });

  it("omits missing facts of a job", async () => {
    const bare = {
      contact: null,
      assetIn: null,
      assetOut: null,
      timeWindow: null,
      requirements: [],
      notes: [],
      reference: null,
    };
    const [page] = await printPages({ jobs: [makeJob(1, bare)] });
    expect(page).toMatch(/10001Drop-offCustomer1.*62701notelephonenumberSignatureDone$/);
  });

  it("has a header on every page: tenant, location, truck, driver, dates, print time, zone, page n of m", async () => {
    const pages = await printPages({ jobs: makeJobs(40) });
    expect(pages.length).toBeGreaterThan(5);
    for (const [index, page] of pages.entries()) {
      const number = `Page ${index + 1} of ${pages.length}`;
      const head = `Cascade Roll-Off & Recycling North Yard Truck 12 ${number} Driver Maria Kowalska
        Dates Mon Mar 2 to Sun Mar 8 Printed 2026-03-01 11:05 am Times America/Denver`;
      expect(page.startsWith(squeeze(head))).toBe(true);
    }
  });

  it.each([
    [{ from: "Mon Mar 2", to: null }, "from Mon Mar 2"],
    [{ from: null, to: "Sun Mar 8" }, "until Sun Mar 8"],
    [{ from: "Mon Mar 2", to: "Mon Mar 2" }, "Mon Mar 2"],
    [{ from: null, to: null }, "all"],
  ])("writes the date range %j as %s, and reports a missing driver", async (dateRange, words) => {
    const [page] = await printPages({ dateRange, driverName: null });
    expect(page).toContain(squeeze(`Driver none Dates ${words} Printed`));
  });

  it("is one page that reports no jobs when the truck has none", async () => {
    const pages = await printPages({});
    expect(pages).toEqual([expect.stringMatching(/^CascadeRoll-Off.*Page1of1.*Noopenjobsforthistruck\.$/)]);
  });

  it.each([
    [1, "1 more open job is not printed."],
    [2345, "2345 more open jobs are not printed."],
  ])("reports at its end that it omits %i further jobs", async (unprinted, words) => {
    const pages = await printPages({ jobs: makeJobs(20), unprinted });
    expect(pages.at(-1)?.endsWith(squeeze(words))).toBe(true);
    expect(pages.slice(0, -1).join("")).not.toContain("notprinted");
  });

  it("has the same bytes for the same data, at any time of day", async () => {
    const jobs = makeJobs(20);
    const first = await renderJobListPdf({ ...list, jobs });
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2031-01-01T00:00:00Z") });
    const second = await renderJobListPdf({ ...list, jobs });
    expect(second.equals(first)).toBe(true);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ["letter", 612, 792],
    ["a4", 595.28, 841.89],
  ] as const)("fits on %s paper", async (paper, width, height) => {
    const jobs = [
      ...makeJobs(8),
      makeJob(8, { orderNumber: Number.MAX_SAFE_INTEGER, customer: "W".repeat(64) }),
    ];
    const pdf = await renderJobListPdf({ ...list, truckName: "W".repeat(64), paper, jobs });
    const document = await getDocumentProxy(new Uint8Array(pdf));
    expect((await document.getPage(1)).view).toEqual([0, 0, width, height]);
    const { items } = await extractTextItems(document);
    for (const item of items.flat()) {
      expect(item.x).toBeGreaterThanOrEqual(36 - 1);
      expect(item.x + item.width).toBeLessThanOrEqual(width - 36 + 1);
      expect(item.y).toBeGreaterThanOrEqual(36 - 1);
      expect(item.y).toBeLessThanOrEqual(height - 36);
    }
  });
});

describe("long text", () => {
  it("of 2,048 characters without a space wraps and is not cut", async () => {
    const word = longText("x", 2048).replaceAll(" ", "-");
    const pages = await printPages({
      jobs: [makeJob(0), makeJob(1, { notes: [{ label: "Driver notes", text: word }] })],
    });
    expect(pages.join("")).toContain(word);
  });

  it("that is higher than a page continues on the next page, with a note, and loses no word", async () => {
    const names = ["customer", "dispatcher", "driver", "invoice"];
    const notes = names.map((name) => ({ label: `Notes ${name}`, text: longText(name, 2048) }));
    const pages = await printPages({ jobs: [makeJob(0), makeJob(1, { notes }), makeJob(2)] });
    const printed = pages.join("");
    for (const word of notes.flatMap((note) => [note.label, ...note.text.split(" ")])) {
      expect(printed).toContain(squeeze(word));
    }
    expect(pages.map((page) => page.includes(squeeze("continued on the next page")))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(pages.map((page) => page.includes("10001,continued"))).toEqual([false, true, true, true]);
    expect(pages.at(-1)).toContain(squeeze("Customer 2 Roofing"));
  });

  it("in any field of a job is printed in full", async () => {
    const long = (name: string) => longText(name, 600);
    const job = makeJob(1, {
      type: long("type"),
      customer: long("customer"),
      address: [long("street"), long("city")],
      assetIn: long("in"),
      assetOut: long("out"),
      timeWindow: long("time"),
      contact: { name: long("name"), phone: long("phone") },
      requirements: [long("requirement")],
      reference: long("reference"),
    });
    const printed = (await printPages({ jobs: [job] })).join("");
    for (const word of textsOf(job).flatMap((text) => text.split(" ")))
      expect(printed).toContain(squeeze(word));
  });

  it("collapses blank lines, and prints none at the start and the end", async () => {
    const withNote = (text: string) => ({
      jobs: [makeJob(1, { notes: [{ label: "Notes", text }] })],
    });
    const print = async (text: string) => renderJobListPdf({ ...list, ...withNote(text) });
    const folded = await print("one\n\ntwo");
    for (const text of [
      `one${"\n".repeat(2000)}two`,
      "\n \r\n\t\none\n \n\u2028\ntwo",
      "one\n\u200b\n\ntwo\n\n",
    ])
      expect((await print(text)).equals(folded), JSON.stringify(text.slice(0, 40))).toBe(true);
    expect((await print("one\ntwo")).equals(folded)).toBe(false);
    expect(await printPages(withNote("\n".repeat(2048)))).toHaveLength(1);
  });

  it("of very many lines uses several pages, with each line on one page", async () => {
    const text = Array.from({ length: 5000 }, (_, index) => `L${index}.`).join("\n");
    const pages = await printPages({ jobs: [makeJob(1, { notes: [{ label: "Notes", text }] })] });
    expect(pages.length).toBeGreaterThan(80);
    const printed = pages.flatMap((page) => page.match(/L\d+\./g) ?? []);
    expect(printed).toEqual(text.split("\n"));
  });

  it("keeps its line breaks", async () => {
    const text = "one\ntwo\r\nthree\u2028four\tfive";
    const pdf = await renderJobListPdf({
      ...list,
      jobs: [makeJob(1, { notes: [{ label: "Notes", text }] })],
    });
    const { items } = await extractTextItems(new Uint8Array(pdf));
    const heights = ["one", "two", "three", "four"].map(
      (word) => items.flat().find((item) => item.str === word)?.y,
    );
    expect(new Set(heights.filter((height) => height !== undefined)).size).toBe(4);
  });
});

describe("characters", () => {
  it.each([
    ["Greek", "Παπαδόπουλος Κατασκευές Α.Ε., ᾠδή"],
    ["Cyrillic", "ООО «Чистый город», Київ, Ђорђе"],
    ["Polish", "Zażółć gęślą jaźń, Łódź"],
    ["Vietnamese", "Nguyễn Thị Hương, Đường Trần Hưng Đạo"],
    ["with letters that join", "office waffle, Fjord, affluent, ﬁrst"],
    ["with marks of their own", "Cafe\u0301 x\u0323\u0302 n\u0303"],
    ["Hebrew, its house number not turned around", "רחוב הרצל 12"],
  ])("that are %s are printed from the embedded font and can be copied", async (_, customer) => {
    const [page] = await printPages({ jobs: [makeJob(1, { customer })] });
    for (const word of customer.split(" ")) expect(page).toContain(squeeze(word).normalize("NFKC"));
    expect(page).not.toContain("could not be printed");
  });

  it("without a visible shape, such as a soft hyphen, print nothing and split no word", async () => {
    const [page] = await printPages({
      jobs: [makeJob(1, { customer: "Co\u00adop\u200berate \ufeffInc\ufe0f." })],
    });
    expect(page).toContain("CooperateInc.");
  });

  it("that are missing in all fonts print as a box each, and the footer counts them", async () => {
    const strange = makeJob(1, { customer: "東京 Hauling 🚒", address: ["Bell\u0007 Road"] });
    const pages = await printPages({ truckName: "Truck 🚒", jobs: [strange, ...makeJobs(10)] });
    expect(pages.length).toBeGreaterThan(1);
    expect(pages[0]).toContain("▯▯Hauling▯Bell▯Road");
    expect(pages[0]?.match(/▯/g)).toHaveLength(5);
    expect(pages[0]).toContain(squeeze("5 characters on this page could not be printed (no font has them)"));
    expect(pages[1]).toContain(squeeze("1 character on this page could not be printed (no font has it)"));
  });

  it("that are missing in the embedded font are printed from an extra font", async () => {
    const jobs = [makeJob(1, { customer: "Arc ⌒ and 🚒 Street" })];
    const mono = require.resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf");
    expect((await printPages({ jobs }))[0]).toContain("Arc▯and▯Street");
    const [page] = await printPages({ jobs }, [mono]);
    expect(page).toContain("Arc⌒and▯Street");
    expect(page).toContain(squeeze("1 character on this page"));
  });
});

describe("a font file", () => {
  it.each([
    ["missing", "/no/such/font.ttf"],
    ["no font", import.meta.filename],
  ])("that is %s is refused by name", async (_, path) => {
    const rendering = renderJobListPdf(list, { fonts: [path] });
    await expect(rendering).rejects.toMatchObject({
      code: "invalid_format",
      message: expect.stringContaining(path),
    });
  });
});
