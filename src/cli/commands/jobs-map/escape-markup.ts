// XML 1.0 cannot represent these characters, not even escaped.
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeMarkup(text: string): string {
  return text.replace(impossible, "\ufffd").replace(/[&<>"']/g, (char) => entities[char] ?? char);
}
