/** A bar, filled to a part of 1, and the part in per cent. */
export function drawBar(part: number): string {
  const filled = Math.min(barColumns, Math.round(part * barColumns));
  const percent = String(Math.min(100, Math.floor(part * 100))).padStart(3);
  return `${"█".repeat(filled)}${"░".repeat(barColumns - filled)} ${percent} %`;
}

const barColumns = 24;
