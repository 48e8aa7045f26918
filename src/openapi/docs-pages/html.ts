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

/** `label` names the table for screen readers. The roles keep the table semantics on narrow screens. */
export function showTable(
  label: string,
  heads: readonly (string | Html)[],
  rows: readonly (readonly (string | Html)[])[],
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table role="table">
<thead><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first = "", ...cells]) =>
      html`<tr role="row"><th scope="row" role="rowheader">${first}</th>${cells.map((cell) => html`<td role="cell">${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** Supports only the Markdown of our texts: headings, paragraphs, flat lists, tables, `code`, fences, **bold**, links. */
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
  const [, level, heading] = /^(#{1,3}) (.+)$/.exec(block) ?? [];
  if (level && heading)
    return `<h${level.length} id="${toAnchor(heading)}">${toInline(heading)}</h${level.length}>`;
  if (block.startsWith("| ")) return toMarkdownTable(block).html;
  const lines = block.split("\n");
  const isItem = (line: string) => /^(?:[-*]|\d+\.) /.test(line);
  const firstItem = lines.findIndex(isItem);
  if (firstItem < 0) return `<p>${toInline(block)}</p>`;
  const lead = lines.slice(0, firstItem).join("\n");
  const items = lines
    .slice(firstItem)
    .join("\n")
    .split(/^(?:[-*]|\d+\.) /m)
    .slice(1);
  const kind = /^\d/.test(lines[firstItem] ?? "") ? "ol" : "ul";
  const list = `<${kind}>${items.map((item) => `<li>${toInline(item.trim())}</li>`).join("")}</${kind}>`;
  return lead === "" ? list : `<p>${toInline(lead)}</p>${list}`;
}

function toMarkdownTable(block: string): Html {
  const [heads = [], , ...rows] = block.split("\n").map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => fromInlineMarkdown(cell.trim().replaceAll("\\|", "|"))),
  );
  // Two tables of a page need different names.
  const [names = ""] = block.split("\n");
  return showTable(names.replace(/[|`*]/g, " ").trim(), heads, rows);
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
