import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Reduces a picture to at most 256 colors (PNG, ISO/IEC 15948), a third of the bytes. Drops alpha. */
export function shrinkPng(png) {
  const { height, pixels, width } = readPng(png);
  const { indexes, palette } = toPalette(pixels);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Each pixel has 8 bits, an index into the palette.
  head.set([8, 3], 8);
  const chunks = [
    ["IHDR", head],
    ["PLTE", palette],
    ["IDAT", deflateSync(rows, { level: 9 })],
    ["IEND", Buffer.alloc(0)],
  ];
  return Buffer.concat([png.subarray(0, 8), ...chunks.map(([type, data]) => toChunk(type, data))]);
}

/** Reads the pixels of a browser's PNG: 8 bits each for red, green, blue, and optionally alpha. */
function readPng(png) {
  const parts = [];
  let head = png;
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") head = data;
    if (type === "IDAT") parts.push(data);
    at += length + 12;
  }
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const bytes = { 2: 3, 6: 4 }[head[9]];
  if (head[8] !== 8 || !bytes || head[12] !== 0) throw new Error("This PNG is not one that a browser wrote.");
  const raw = inflateSync(Buffer.concat(parts));
  const size = width * bytes;
  const pixels = new Uint32Array(width * height);
  let above = new Uint8Array(size);
  for (let y = 0; y < height; y++) {
    const row = unfilter(raw.subarray(y * (size + 1), (y + 1) * (size + 1)), above, bytes);
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = (row[x * bytes] << 16) | (row[x * bytes + 1] << 8) | row[x * bytes + 2];
    above = row;
  }
  return { height, pixels, width };
}

function unfilter(filtered, above, bytes) {
  const [kind] = filtered;
  const row = new Uint8Array(filtered.length - 1);
  for (let at = 0; at < row.length; at++) {
    const [left, up, corner] = [row[at - bytes] ?? 0, above[at], above[at - bytes] ?? 0];
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind];
    row[at] = filtered[at + 1] + guess;
  }
  return row;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Returns the most frequent colors. Each other color becomes the nearest of them. */
function toPalette(pixels) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const all = [...counts]
    .sort(([one, many], [other, more]) => more - many || one - other)
    .map(([color]) => color);
  const kept = all.slice(0, 256);
  const indexOf = new Map(all.map((color) => [color, nearest(kept, color)]));
  const palette = Buffer.from(kept.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  return { indexes: Uint8Array.from(pixels, (pixel) => indexOf.get(pixel)), palette };
}

function nearest(colors, wanted) {
  const distance = (color) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((color >> shift) & 255) - ((wanted >> shift) & 255)) ** 2, 0);
  let best = 0;
  for (let index = 1; index < colors.length; index++)
    if (distance(colors[index]) < distance(colors[best])) best = index;
  return best;
}

function toChunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
