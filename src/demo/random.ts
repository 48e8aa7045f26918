/** A source of chance that repeats itself: the same seed gives the same sequence. */
export interface Random {
  /** An integer, both bounds included. */
  between(min: number, max: number): number;
  bytes(count: number): Uint8Array;
  /** True that often, from 0 to 1. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  /** One of the keys, as often as its weight among all weights. */
  weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T;
}

/** Seeds a generator (mulberry32): fast and even, and guessable, so nothing that must stay secret may come from it. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    between,
    bytes: (count) => Uint8Array.from({ length: count }, () => between(0, 255)),
    chance: (probability) => fraction() < probability,
    pick: (choices) => {
      const choice = choices[between(0, choices.length - 1)];
      if (choice === undefined) throw new Error("There is nothing to pick from.");
      return choice;
    },
    shuffle: (list) => shuffle(list, between),
    weighted: (weights) => pickWeighted(weights, fraction()),
  };
}

/** Fisher–Yates, on a copy. */
function shuffle<T>(list: readonly T[], between: (min: number, max: number) => number): T[] {
  const shuffled = [...list];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const chosen = between(0, last);
    const [a, b] = [shuffled[last], shuffled[chosen]];
    // Both indexes lie within the list.
    shuffled[last] = b as T;
    shuffled[chosen] = a as T;
  }
  return shuffled;
}

function pickWeighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>, fraction: number): T {
  // Object.entries forgets the keys' type.
  const entries = Object.entries<number | undefined>(weights) as [T, number | undefined][];
  let rest = fraction * entries.reduce((total, [, weight]) => total + (weight ?? 0), 0);
  for (const [key, weight] of entries) {
    rest -= weight ?? 0;
    if (rest < 0) return key;
  }
  throw new Error("There is nothing to pick from.");
}
