import type { HttpAnswer } from "../http-answer.ts";
import type { Figure } from "./figures.ts";

/** Answers a scrape in the form that its Accept header prefers. */
export type Scrape = (accept: string | undefined) => Promise<HttpAnswer>;

/** Makes what answers scrapes. Those that come while figures are read share them. */
export function createScrape(readFigures: () => Promise<readonly Figure[]>): Scrape {
  let reading: Promise<readonly Figure[]> | null = null;
  return async (accept) => {
    reading ??= readFigures().finally(() => {
      reading = null;
    });
    const figures = await reading;
    // Loaded by the first scrape: many servers never have one.
    const { formats, toText } = await import("./figures-text.ts");
    const { default: Negotiator } = await import("negotiator");
    const [preferred] = accept ? new Negotiator({ headers: { accept } }).mediaTypes([...formats]) : [];
    const format = formats.find((known) => known === preferred) ?? formats[0];
    return {
      status: 200,
      headers: { "cache-control": "no-store", "content-type": format },
      body: await toText(figures, format),
    };
  };
}
