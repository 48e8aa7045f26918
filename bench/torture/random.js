/**
 * Creates random numbers that repeat with the same seed (mulberry32): `next` from 0 to below 1, `below` for integers,
 * `pick` from a list. A part makes every random choice with it, so that its seed repeats the part.
 */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(next() * count);
  return { next, below, pick: (list) => list[below(list.length)] };
}

/** Derives the seed of a part's nth round from the part's seed. */
export function seedOf(seed, round) {
  return (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(round + 1, 0xc2b2ae35)) >>> 0;
}
