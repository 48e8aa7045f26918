/** The fields that people say in an order of their own; all others are asked for after them, in the model's order. */
const asSaid = [
  ...["username", "name", "line_1", "locality", "region", "postcode", "country"],
  ...["latitude", "longitude"],
];

/** The place of a field in the order of questions. */
export function rankOf(field: string): number {
  return asSaid.includes(field) ? asSaid.indexOf(field) : asSaid.length;
}
