/** HTML, as opposed to text, which `html` escapes. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | readonly Part[] | null | undefined | false;

/** Escapes the parts of a template that are not HTML; null, undefined, and false are empty. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, index) => text + toHtml(parts[index])).join("") };
}

function toHtml(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  if ("html" in part) return part.html;
  return part.map(toHtml).join("");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Supports only the Markdown of our descriptions: headings, paragraphs, lists, `code`, fences, **bold**, links. */
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

/** Text in backticks is code without other markup. */
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
