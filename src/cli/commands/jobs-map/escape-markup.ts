// Characters that XML 1.0 cannot represent, not even escaped.
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for SVG and HTML, between tags and in attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(impossible, "\ufffd").replace(/[&<>"']/g, (char) => entities[char] ?? char);
}
