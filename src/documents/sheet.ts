import { type Block, beside, type Column, type TextStyle, text } from "./block.ts";
import type { Fonts } from "./fonts.ts";

export interface Sheet {
  fonts: Fonts;
  columns: ReturnType<typeof toColumns>;
  paper: Paper;
}

/** Width and height in points. */
export const paperSizes = { letter: [612, 792], a4: [595.28, 841.89] } as const;

export type Paper = keyof typeof paperSizes;

/** In points. */
export const margin = 36;

export function toSheet(fonts: Fonts, paper: Paper): Sheet {
  return { columns: toColumns(paperSizes[paper][0]), fonts, paper };
}

function toColumns(paperWidth: number) {
  const full: Column = { x: margin, width: paperWidth - 2 * margin };
  const right = full.x + full.width;
  const rail: Column = { x: full.x, width: 92 };
  const wide: Column = { x: 140, width: right - 140 };
  const done: Column = { x: right - 38, width: 38 };
  const signature: Column = { x: done.x - 12 - 112, width: 112 };
  const main: Column = { x: wide.x, width: signature.x - 14 - wide.x };
  return { full, rail, main, wide, signature, done };
}

export const styles = {
  truck: { size: 22, leading: 27, weight: "bold", color: "black" },
  orderNumber: { size: 24, leading: 28, weight: "bold", color: "black" },
  strong: { size: 12, leading: 15, weight: "bold", color: "black" },
  contact: { size: 14, leading: 19, weight: "bold", color: "black" },
  address: { size: 11, leading: 14, weight: "regular", color: "black" },
  detail: { size: 10.5, leading: 14, weight: "regular", color: "black" },
  detailStrong: { size: 10.5, leading: 14, weight: "bold", color: "black" },
  value: { size: 9.5, leading: 13, weight: "regular", color: "black" },
  valueStrong: { size: 9.5, leading: 13, weight: "bold", color: "black" },
  label: { size: 8, leading: 13, weight: "regular", color: "#444444" },
  chip: { size: 8.5, leading: 13, weight: "bold", color: "white" },
  foot: { size: 8, leading: 10, weight: "bold", color: "black" },
} as const satisfies Record<string, TextStyle>;

export function field(
  fonts: Fonts,
  label: string,
  value: string,
  column: Column,
  style: TextStyle = styles.value,
): Block {
  const labelWidth = 72;
  // Align the label with its value at any size.
  const labelStyle = { ...styles.label, leading: style.leading };
  return beside(
    text(fonts, label, labelStyle, { x: column.x, width: labelWidth - 6 }),
    text(fonts, value, style, { x: column.x + labelWidth, width: column.width - labelWidth }),
  );
}

/** For spreading: null gives an empty list. */
export function present(value: string | null): string[] {
  return value === null ? [] : [value];
}
