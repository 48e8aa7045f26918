import type * as z from "zod";
import { number, text } from "./fields.ts";
import { allNullable, allOptional, defineModel } from "./model.ts";

const fields = {
  latitude: number(-90, 90).describe("degrees north, negative for south"),
  line_1: text(0, 256).describe("street and number"),
  line_2: text(0, 256).describe("second line of the street address"),
  line_3: text(0, 256).describe("third line of the street address"),
  line_4: text(0, 256).describe("fourth line of the street address"),
  locality: text(0, 86).describe("city or town"),
  longitude: number(-180, 180).describe("degrees east, negative for west"),
  postcode: text(0, 86).describe("postal code"),
  region: text(0, 32).describe("state or province"),
};

export const LocationAddressModel = defineModel("LocationAddressModel", allNullable(fields));

/** The option is --address everywhere, to distinguish an asset's `location` from the path's. */
export const CreateLocationAddressModel = defineModel("CreateLocationAddressModel", allOptional(fields), {
  description: "place with its street address or coordinates",
  flag: "address",
});

/** Fields may be missing, as sent. */
export type SentAddress = z.output<typeof CreateLocationAddressModel>;

/** Missing values become null. */
export function toWholeAddress(sent: SentAddress | null): z.output<typeof LocationAddressModel> | null {
  return (
    sent && {
      latitude: sent.latitude ?? null,
      line_1: sent.line_1 ?? null,
      line_2: sent.line_2 ?? null,
      line_3: sent.line_3 ?? null,
      line_4: sent.line_4 ?? null,
      locality: sent.locality ?? null,
      longitude: sent.longitude ?? null,
      postcode: sent.postcode ?? null,
      region: sent.region ?? null,
    }
  );
}
