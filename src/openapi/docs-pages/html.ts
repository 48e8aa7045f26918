/** Text that is HTML already; all other text is escaped where it is put into some. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | readonly Part[] | null | undefined | false;

/** Makes HTML of a template: what is put in is escaped, unless it is HTML itself; null, undefined and false are nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, index) => text + toHtml(parts[index])).join("") };
}

function toHtml(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  if ("html" in part) return part.html;
  return part.map(toHtml).join("");
}

/** Escapes text for elements and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
