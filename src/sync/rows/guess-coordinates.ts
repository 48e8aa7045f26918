import { readFile } from "node:fs/promises";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { Place } from "../../geography/projection.ts";
import { openZipCenters } from "../../geography/zip-centers.ts";
import type { Plan } from "../planner.ts";
import type { SyncTarget } from "../target.ts";
import type { RowTally } from "./read-cell.ts";
import type { CoordinateGuess, Draft } from "./to-draft.ts";

export async function openGuess(
  source: string,
  target: Pick<SyncTarget, "client">,
  locationId: number,
): Promise<CoordinateGuess> {
  if (source === "zip") return { placeOf: await openZips(), needs: ["postcode", "country"] };
  if (source === "location") return { placeOf: await openLocation(target, locationId), needs: [] };
  return { placeOf: await openFile(source), needs: ["postcode"] };
}

/** Never replaces existing coordinates. */
export function addCoordinates(
  draft: Draft,
  { placeOf }: CoordinateGuess,
  line: number,
  tally: RowTally,
): Draft {
  const { address } = draft;
  if (!address || address.latitude !== undefined || address.longitude !== undefined) return draft;
  const place = placeOf(address);
  if (!place) return draft;
  const said = [address.line_1, address.locality, address.postcode].filter(
    (part) => typeof part === "string",
  );
  tally.note(approximate, line, () => said.join(", "));
  return { ...draft, onlyNew: { ...draft.onlyNew, address: { ...place } } };
}

/** Reports an address without coordinates once, unless another missing field is the reason. */
export function joinCoordinates(plan: Plan, guess: CoordinateGuess | null, { address }: Draft): Plan {
  if (plan.action !== "reject") return plan;
  const missing = new Set(
    plan.violations.flatMap(({ code, field }) => (code === "missing_value" ? [field] : [])),
  );
  if (!missing.has("latitude") || !missing.has("longitude")) return plan;
  const others = plan.violations.filter(({ field }) => field !== "latitude" && field !== "longitude");
  if (guess?.needs.some((field) => missing.has(field))) return { ...plan, violations: others };
  const detail = guess
    ? `No coordinates are known for "${String(address?.postcode ?? "")}"; latitude and longitude are needed.`
    : "latitude and longitude are required.";
  return { ...plan, violations: [...others, { code: "missing_value", detail, field: "latitude" }] };
}

/** Counts approximate coordinates. */
export const approximate = "new addresses with approximate coordinates";

async function openZips(): Promise<CoordinateGuess["placeOf"]> {
  const centerOf = await openZipCenters();
  return ({ country, postcode }) => (country === "US" ? centerOf(postcode) : null);
}

async function openLocation(
  { client }: Pick<SyncTarget, "client">,
  locationId: number,
): Promise<CoordinateGuess["placeOf"]> {
  const { address } = await client.call("locations.get", { params: { location_id: String(locationId) } });
  const { latitude, longitude } = address ?? {};
  if (typeof latitude !== "number" || typeof longitude !== "number")
    throw failure("usage", `Location ${locationId} has no coordinates; \`locations update\` gives it some.`);
  return () => ({ latitude, longitude });
}

/** Lines like `02571,41.76,-70.72`: postcode, latitude, longitude. Ignores other lines. */
async function openFile(file: string): Promise<CoordinateGuess["placeOf"]> {
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
