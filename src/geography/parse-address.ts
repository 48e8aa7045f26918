import { regionCodes, stateOfZip } from "./us-states.ts";

export interface AddressParts {
  country?: string;
  line_1: string;
  line_2?: string;
  line_3?: string;
  locality?: string;
  postcode?: string;
  region?: string;
}

/** Parses `1745 T St SE, Washington DC 20020` (US or Canada). Commas may be missing. Returns null for other text. */
export function parseAddress(line: string): AddressParts | null {
  const named = takeCountry(toSegments(line));
  const coded = takePostcode(named.segments);
  const { postcode } = coded;
  const { code, country = coded.country, segments } = takeRegion(coded.segments, postcode);
  const region = code ?? (coded.country === "US" ? stateOfZip(postcode ?? "") : null);
  const isPlaced = postcode !== undefined || code !== undefined;
  const [first = "", ...others] = segments;
  if (!/\p{L}/u.test(first) || ((!isPlaced || others.length === 0) && !isStreet(first))) return null;
  const { lines, locality } = others.length === 0 ? splitStreet(first) : splitTown(segments);
  const [line_1 = "", line_2, line_3, ...rest] = lines;
  if (rest.length > 0) return null;
  const parts = { country: named.country ?? country, line_1, line_2, line_3, locality, postcode, region };
  const given = Object.entries(parts).filter(
    ([, part]) => part !== undefined && part !== null && part !== "",
  );
  return { line_1, ...Object.fromEntries(given) };
}

/** The form of the postcode and state decides; null for others. */
export function countryOf(postcode: unknown, region: unknown): "CA" | "US" | null {
  const code = typeof region === "string" ? regionCodes.get(region.toUpperCase())?.country : undefined;
  const form = code === "US" ? /^\d{5}(?:-\d{4})?$/ : /^[a-z]\d[a-z] ?\d[a-z]\d$/i;
  return code && typeof postcode === "string" && form.test(postcode) ? code : null;
}

/** `1745 T St SE`, `PO Box 12`: a line that may be a street alone. */
const isStreet = (text: string) => /^(?:\d+\S* +\S|p\.? ?o\.? box )/i.test(text);

function toSegments(line: string): string[] {
  const segments = line.split(/[,;\r\n]/).map((segment) => segment.replace(/\s+/g, " ").trim());
  return segments.filter((segment) => segment !== "");
}

const withLast = (segments: readonly string[], last: string) =>
  toSegments([...segments.slice(0, -1), last].join(","));

function takeCountry(segments: readonly string[]) {
  const found = /^(.*?)\b(?:(usa|u\.s\.a?\.?|united states(?: of america)?)|(canada))$/i.exec(
    segments.at(-1) ?? "",
  );
  if (!found) {
    const isCode = segments.length > 1 && segments.at(-1)?.toUpperCase() === "US";
    return isCode ? { country: "US", segments: segments.slice(0, -1) } : { segments: [...segments] };
  }
  return { country: found[2] ? "US" : "CA", segments: withLast(segments, found[1] ?? "") };
}

function takePostcode(segments: readonly string[]): {
  country?: "CA" | "US";
  postcode?: string;
  segments: string[];
} {
  const last = segments.at(-1) ?? "";
  const zip = /^(.*?)(?:^| )(\d{5}(?:-\d{4})?)$/.exec(last);
  if (zip) return { country: "US", postcode: zip[2] ?? "", segments: withLast(segments, zip[1] ?? "") };
  const canadian = /^(.*?)(?:^| )([a-z]\d[a-z]) ?(\d[a-z]\d)$/i.exec(last);
  if (!canadian) return { segments: [...segments] };
  const postcode = `${canadian[2]} ${canadian[3]}`.toUpperCase();
  return { country: "CA", postcode, segments: withLast(segments, canadian[1] ?? "") };
}

/** Takes the state from the end: its code, or its name if a town remains before it. */
function takeRegion(
  segments: string[],
  postcode: string | undefined,
): { code?: string; country?: "CA" | "US"; segments: string[] } {
  const words = (segments.at(-1) ?? "").split(" ");
  const ofZip = postcode === undefined ? null : stateOfZip(postcode);
  for (const count of [1, 2, 3]) {
    const text = words.slice(-count).join(" ").replaceAll(".", "").toUpperCase();
    const region = words.length < count ? undefined : regionCodes.get(text);
    const left = withLast(segments, words.slice(0, -count).join(" "));
    const isName = text.length > 2;
    if (!region || left.length === 0) continue;
    // In `New York 10001` and `Washington 20020` the name is the city; in `100 Main St NE` the code is a direction.
    if (isName && (left.length < 2 || (ofZip !== null && ofZip !== region.code))) continue;
    if (text === "NE" && segments.length === 1 && ofZip !== "NE") continue;
    return { ...region, segments: left };
  }
  return { segments };
}

const unit = /^(?:#|(?:apartment|apt|building|bldg|floor|fl|lot|room|rm|ste|suite|trailer|trlr|unit)\b)/i;

/** The last segment is the town, unless it is a part of a building. */
function splitTown(segments: readonly string[]): { lines: readonly string[]; locality?: string } {
  const last = segments.at(-1) ?? "";
  return unit.test(last) ? { lines: segments } : { lines: segments.slice(0, -1), locality: last };
}

/** `1745 T St SE Apt 4 Washington`: the street ends with its type, direction, and unit; the town follows. */
function splitStreet(text: string): { lines: string[]; locality?: string } {
  const words = text.split(" ");
  const plain = words.map((word) => word.replaceAll(".", "").toLowerCase());
  let end = plain.findIndex((word, index) => index >= 2 && streetTypes.has(word));
  if (!/^\d/.test(text) || end === -1) return { lines: [text] };
  // `Mill Park Ave` ends with Ave, but `Main St St Louis` is in St Louis.
  while (streetTypes.has(plain[end + 1] ?? "") && plain[end + 1] !== "st") end += 1;
  if (directions.has(plain[end + 1] ?? "")) end += 1;
  const isUnit = unit.test(words[end + 1] ?? "");
  if (isUnit) end += /^#./.test(words[end + 1] ?? "") ? 1 : 2;
  const locality = words.slice(end + 1).join(" ");
  return { lines: [words.slice(0, end + 1).join(" ")], ...(locality && { locality }) };
}

/** The Postal Service's words for streets (Publication 28, appendix C1). */
const streetTypes: ReadonlySet<string> = new Set(
  `alley aly ave avenue blvd boulevard cir circle court cove cres crescent crossing ct cv dr drive
  expressway expy freeway fwy heights highway hts hwy lane ln loop parkway path pike pkwy pl place
  plaza plz rd ridge road row route rte run sq square st street ter terrace tpke trail trl turnpike
  walk way xing`.split(/\s+/),
);

const directions: ReadonlySet<string> = new Set(
  "n s e w ne nw se sw north south east west northeast northwest southeast southwest".split(" "),
);
