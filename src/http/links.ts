/** The paging fields of a list's answer. */
interface ListAnswer {
  current_limit: number;
  current_page: number;
  total_pages: number;
}

/** Whether an answer is that of a list. */
export function isListAnswer(value: unknown): value is ListAnswer {
  return typeof value === "object" && value !== null && "total_pages" in value && "current_page" in value;
}

/** The Link header of a list (OP-52, RFC 8288): first, prev, next and last page, relative to the server's root. */
export function toLinks(path: string, query: Readonly<Record<string, string>>, list: ListAnswer): string {
  const { current_page: page, total_pages: last, current_limit } = list;
  const link = (relation: string, index: number) => {
    const parameters = new URLSearchParams({
      ...query,
      page_index: String(index),
      page_limit: String(current_limit),
    });
    return `<${path}?${parameters}>; rel="${relation}"`;
  };
  return [
    link("first", 1),
    ...(page > 1 ? [link("prev", Math.max(1, Math.min(page - 1, last)))] : []),
    ...(page < last ? [link("next", page + 1)] : []),
    link("last", Math.max(1, last)),
  ].join(", ");
}
