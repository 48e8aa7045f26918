/**
 * Keeps a name from reordering the text around it: a name in a right-to-left script is isolated (UAX #9: FSI, PDI), and
 * characters that override or isolate directions are removed.
 */
export function isolate(name: string): string {
  const plain = name.replace(directing, "");
  return rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain;
}

const directing = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The blocks whose letters are written from right to left, such as Hebrew, Arabic, N'Ko, and Adlam. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
