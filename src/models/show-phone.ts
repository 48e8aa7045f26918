/** For people: `2025550142` and `+12025550142` are `(202) 555-0142`. Other numbers stay as they were typed. */
export function showPhone(number: string): string {
  const [, area, exchange, line] = /^(?:\+?1)?([2-9]\d{2})(\d{3})(\d{4})$/.exec(number.trim()) ?? [];
  return line === undefined ? number : `(${area}) ${exchange}-${line}`;
}
