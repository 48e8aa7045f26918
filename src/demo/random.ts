/** The same seed gives the same sequence. */
export interface Random {
  /** An integer; both bounds are included. */
  between(min: number, max: number): number;
  bytes(count: number): Uint8Array;
  chance(probability: number): boolean;
  /** A note of one or a few of these sentences. */
  note(sentences: readonly string[]): string;
  pick<T>(choices: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  /** One of the keys, in proportion to its weight. */
  weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T;
}

/** Mulberry32: fast and even, but guessable. Derive no secret from it. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    between: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    bytes: (count) => Uint8Array.from({ length: count }, () => random.between(0, 255)),
    chance: (probability) => fraction() < probability,
    note: (sentences) => {
      const count = Number(random.weighted({ 1: 60, 2: 22, 3: 10, 4: 5, 5: 3 }));
      return random.shuffle(sentences).slice(0, count).join(" ");
    },
    pick: (choices) => {
      const choice = choices[random.between(0, choices.length - 1)];
      if (choice === undefined) throw new Error("There is nothing to pick from.");
      return choice;
    },
    shuffle: <T>(list: readonly T[]) => {
      const shuffled = [...list];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const chosen = random.between(0, last);
        [shuffled[last], shuffled[chosen]] = [shuffled[chosen] as T, shuffled[last] as T];
      }
      return shuffled;
    },
    weighted: (weights) => pickWeighted(weights, fraction()),
  };
  return random;
}

function pickWeighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>, fraction: number): T {
  const entries = Object.entries<number | undefined>(weights) as [T, number | undefined][];
  let rest = fraction * entries.reduce((total, [, weight]) => total + (weight ?? 0), 0);
  for (const [key, weight] of entries) {
    rest -= weight ?? 0;
    if (rest < 0) return key;
  }
  throw new Error("There is nothing to pick from.");
}

/** Makes a version 4 UUID (RFC 9562) from 16 bytes. */
export function toUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
