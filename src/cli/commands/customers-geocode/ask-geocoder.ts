import { failure, usageFailure } from "../../../errors/errors.ts";
import type { Place } from "../../../geography/projection.ts";
import { isObject } from "../../../models/json.ts";
import { isLoopback } from "../../../runtime/loopback.ts";
import { programVersion } from "../../../runtime/program-version.ts";
import { readBounded } from "../../../runtime/read-bounded.ts";

/** Throws a usage error unless the text is an address with `{address}`, over HTTPS or on this machine. */
export function parseGeocoder(text: string | undefined): URL {
  const example = "https://nominatim.example.com/search?format=json&limit=1&q={address}";
  const fix = `Set it to the address of a geocoder that answers like Nominatim or the US Census, like ${example}`;
  if (text === undefined || text === "") throw usageFailure("DISPATCH_GEOCODER is not set.", fix);
  const url = text.includes(placeholder) && URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLoopback(url.hostname)))
    throw usageFailure(`DISPATCH_GEOCODER is not an https address with ${placeholder}.`, fix);
  return url;
}

const placeholder = "{address}";

/** null for an address that the geocoder does not know. Throws target_unreachable. */
export async function askGeocoder(geocoder: string, address: string): Promise<Place | null> {
  const { host } = new URL(geocoder);
  try {
    const answer = await fetch(geocoder.replaceAll(placeholder, encodeURIComponent(address)), {
      headers: { accept: "application/json", "user-agent": `dispatch-cli/${programVersion}` },
      redirect: "error",
      signal: AbortSignal.timeout(answerMsMax),
    });
    if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`);
    const bytes = await readBounded(answer.body, answerBytesMax, 0);
    return toPlace(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure(
      "target_unreachable",
      `The geocoder at ${host} gave no answer (${reason}). The positions that it gave before are stored; run the command again to continue.`,
      null,
      error,
    );
  }
}

const answerMsMax = 30_000;
const answerBytesMax = 1024 * 1024;

/** Nominatim: `[{lat, lon}]`, with numbers as text. US Census: `{result: {addressMatches: [{coordinates: {x, y}}]}}`. */
function toPlace(answer: unknown): Place | null {
  if (Array.isArray(answer)) return readPlace(answer[0], "lat", "lon");
  const result = isObject(answer) ? answer.result : null;
  const matches = isObject(result) ? result.addressMatches : null;
  if (!Array.isArray(matches)) throw new Error("it is not an answer of Nominatim or the US Census");
  return readPlace(isObject(matches[0]) ? matches[0].coordinates : null, "y", "x");
}

function readPlace(record: unknown, north: string, east: string): Place | null {
  if (!isObject(record)) return null;
  const [latitude = Number.NaN, longitude = Number.NaN] = [record[north], record[east]].map(toNumber);
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? { latitude, longitude } : null;
}

/** Number() makes 0 of null, "", and []. */
const toNumber = (value: unknown) =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "")
    ? Number(value)
    : Number.NaN;
