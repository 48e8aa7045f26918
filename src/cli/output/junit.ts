/** What a test report says of one check. */
export interface JunitCase {
  name: string;
  durationMs: number;
  /** Why it failed; null when it did not. */
  failure: string | null;
}

/** Writes a JUnit report of one suite, as continuous integration reads it. */
export function toJunit(suite: string, of: string, cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const totalMs = cases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${toSeconds(totalMs)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(suite)}" ${counts}>`,
    `  <testsuite name="${escapeXml(of)}" ${counts} skipped="0">`,
    ...cases.map((one) => toCase(suite, one)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function toCase(suite: string, { name, durationMs, failure }: JunitCase): string {
  const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}" time="${toSeconds(durationMs)}"`;
  return failure === null ? `${head}/>` : `${head}><failure message="${escapeXml(failure)}"/></testcase>`;
}

const toSeconds = (ms: number) => (ms / 1000).toFixed(3);

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Text as an attribute holds it; what XML 1.0 has no place for becomes U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
    .replace(/[&<>"'\t\n\r]/g, (char) => entities[char] ?? char);
}
