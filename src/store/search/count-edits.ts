/**
 * The number of typing errors between two words: an additional, missing, or wrong letter, or two swapped ones (optimal
 * string alignment). Returns `max` + 1 for more than `max`.
 */
export function countEdits(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, at(before, j - 2) + 1);
      row.push(edits);
    }
    if (Math.min(...row) > max) return max + 1;
    before = above;
    above = row;
  }
  return Math.min(at(above, b.length), max + 1);
}

const at = (row: readonly number[], index: number) => row[index] ?? 0;
