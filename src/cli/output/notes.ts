import type { Page } from "./answer.ts";
import { toVisible } from "./text.ts";

/** The line under a list: which of its records are shown, what else is to be said, and the columns that the screen has no room for. */
export function describeList(
  shown: number,
  page: Page | null,
  hidden: readonly string[],
  remark: string | null = null,
): string {
  return [describeCount(shown, page), ...(remark === null ? [] : [remark]), ...describeHidden(hidden)].join(
    " · ",
  );
}

/** What is said off a terminal: which texts of a table were cut; null for none. */
export function describeCut(columns: readonly string[], textMax: number): string | null {
  if (columns.length === 0) return null;
  return `cut to ${textMax} characters: ${columns.map(toVisible).join(", ")}; -o csv has the whole texts`;
}

function describeCount(shown: number, page: Page | null): string {
  const total = page?.totalCount ?? shown;
  if (total === 0) return "no records";
  if (!page || shown === total) return total === 1 ? "1 record" : `${toThousands(total)} records`;
  const place = `page ${toThousands(page.index)} of ${toThousands(page.totalPages)}`;
  const first = (page.index - 1) * page.limit + 1;
  const range = shown === 0 ? "none" : `${toThousands(first)}–${toThousands(first + shown - 1)}`;
  return `showing ${range} of ${toThousands(total)} · ${place}`;
}

const hiddenNamedMax = 3;

function describeHidden(hidden: readonly string[]): string[] {
  if (hidden.length === 0) return [];
  const named = hidden.slice(0, hiddenNamedMax).map(toVisible).join(", ");
  const others = hidden.length - hiddenNamedMax;
  return [`no room for ${named}${others > 0 ? ` and ${others} more` : ""}`];
}

// The first number that Intl formats adds a fifth of Node's own start.
function toThousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
