import { join } from "./check-signature.ts";
import type { Hmac } from "./hmac.ts";

const blockBytes = 64;

/** HMAC (RFC 2104) without Node, in a kilobyte. The browser's own HMAC is asynchronous. */
export const portableHmac: Hmac = (hash, key, bytes) => {
  const digest = digests[hash];
  const padded = new Uint8Array(blockBytes);
  padded.set(key.length > blockBytes ? digest(key) : key);
  const inner = digest(
    join(
      padded.map((byte) => byte ^ 0x36),
      bytes,
    ),
  );
  return digest(
    join(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
};

const digests = {
  sha1: (bytes: Uint8Array) => toDigest(bytes, sha1Start, mixSha1),
  sha256: (bytes: Uint8Array) => toDigest(bytes, sha256Start, mixSha256),
};

/** FIPS 180-4: pads the message, and mixes each block of 16 words into the state. */
function toDigest(
  bytes: Uint8Array,
  start: readonly number[],
  mix: (state: readonly number[], word: (at: number) => number) => number[],
): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  let state = start;
  for (let from = 0; from < padded.length; from += blockBytes) {
    const mixed = mix(state, (at) => view.getInt32(from + 4 * at));
    state = state.map((word, at) => (word + (mixed[at] ?? 0)) | 0);
  }
  const digest = new DataView(new ArrayBuffer(4 * state.length));
  for (const [at, word] of state.entries()) digest.setInt32(4 * at, word);
  return new Uint8Array(digest.buffer);
}

const sha1Start = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

function mixSha1(state: readonly number[], word: (at: number) => number): number[] {
  const words: number[] = [];
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let at = 0; at < 80; at++) {
    const [x = 0, y = 0, z = 0, w = 0] = [words[at - 3], words[at - 8], words[at - 14], words[at - 16]];
    const next = at < 16 ? word(at) : rotate(x ^ y ^ z ^ w, 31);
    words.push(next);
    const quarter = Math.floor(at / 20);
    const majority = (b & c) | (d & (b | c));
    const chosen = quarter === 0 ? d ^ (b & (c ^ d)) : quarter === 2 ? majority : b ^ c ^ d;
    // FIPS 180-4 lists these constants: 2 ** 30 times the roots of 2, 3, 5, and 10.
    const constant = Math.floor(2 ** 30 * Math.sqrt([2, 3, 5, 10][quarter] ?? 0));
    const mixed = (rotate(a, 27) + chosen + e + constant + next) | 0;
    [a, b, c, d, e] = [mixed, a, rotate(b, 2), c, d];
  }
  return [a, b, c, d, e];
}

const sha256Start = /* @__PURE__ */ roots(8, 1 / 2);
const constants = /* @__PURE__ */ roots(64, 1 / 3);

function mixSha256(state: readonly number[], word: (at: number) => number): number[] {
  const words: number[] = [];
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at++) {
    const [w2 = 0, w7 = 0, w15 = 0, w16 = 0] = [words[at - 2], words[at - 7], words[at - 15], words[at - 16]];
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    const next = at < 16 ? word(at) : (s0 + s1 + w7 + w16) | 0;
    words.push(next);
    const up = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + up + (g ^ (e & (f ^ g))) + (constants[at] ?? 0) + next) | 0;
    const down = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (down + ((a & b) | (c & (a | b)))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h];
}

/** The first 32 bits of the fractions of roots of the first primes, as FIPS 180-4 defines its constants. */
function roots(count: number, power: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes.map((prime) => ((prime ** power % 1) * 2 ** 32) | 0);
}

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));
