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
function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * The part of Markdown that the document's descriptions use: headings of the second level, paragraphs, lists, `code`, fences,
 * **bold** and links. Anything else stays as it is written.
 */
export function fromMarkdown(text: string): Html {
  const blocks = text
    .split(/(^```[\s\S]*?^```$)/m)
    .flatMap((part) => (part.startsWith("```") ? [part] : part.split(/\n{2,}/)))
    .map((block) => block.trim())
    .filter((block) => block !== "");
  return { html: blocks.map(toBlock).join("\n") };
}

function toBlock(block: string): string {
  if (block.startsWith("```")) {
    const code = block.replace(/^```.*\n/, "").replace(/\n?```$/, "");
    return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
  }
  const heading = /^## (.+)$/.exec(block)?.[1];
  if (heading !== undefined) return `<h2 id="${toAnchor(heading)}">${toInline(heading)}</h2>`;
  const lines = block.split("\n");
  const isItem = (line: string) => /^[-*] /.test(line);
  const firstItem = lines.findIndex(isItem);
  if (firstItem < 0) return `<p>${toInline(block)}</p>`;
  const lead = lines.slice(0, firstItem).join("\n");
  const items = lines
    .slice(firstItem)
    .join("\n")
    .split(/^[-*] /m)
    .slice(1);
  const list = `<ul>${items.map((item) => `<li>${toInline(item.trim())}</li>`).join("")}</ul>`;
  return lead === "" ? list : `<p>${toInline(lead)}</p>${list}`;
}

const toAnchor = (heading: string) => heading.toLowerCase().replace(/[^a-z\d]+/g, "-");

/** The text of a line; what stands in backticks is code, and nothing else. */
export function fromInlineMarkdown(text: string): Html {
  return { html: toInline(text) };
}

function toInline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => {
      if (/^`[^`]+`$/.test(part)) return `<code>${escapeHtml(part.slice(1, -1))}</code>`;
      return escapeHtml(part)
        .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
        .replace(/\[([^\]]+)\]\(((?:https?:\/\/|\/|#)[^)\s]*)\)/g, '<a href="$2">$1</a>');
    })
    .join("");
}
