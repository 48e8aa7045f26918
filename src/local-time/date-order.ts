import type { Zone } from "./zone.ts";

/** The order of day, month, and year in a numeric date. */
export const dateOrders = ["mdy", "dmy", "ymd"] as const;

export type DateOrder = (typeof dateOrders)[number];

/** The usual order in the zone's country. UTC gets the order of the United States. */
export function dateOrderOf({ name }: Pick<Zone, "name">): DateOrder {
  if (monthFirst.test(name) || name === "UTC") return "mdy";
  return yearFirst.test(name) ? "ymd" : "dmy";
}

const monthFirst = new RegExp(
  [
    "^US/.+",
    "^Canada/.+",
    "^[CEMP]ST(?:\\dEDT|\\dCDT|\\dMDT|\\dPDT)$",
    "^America/(?:Indiana|Kentucky|North_Dakota)/.+",
    `^America/(?:${[
      "Adak|Anchorage|Boise|Chicago|Denver|Detroit|Indianapolis|Juneau|Los_Angeles|Louisville|Menominee|Metlakatla",
      "New_York|Nome|Phoenix|Shiprock|Sitka|Yakutat|Puerto_Rico|St_Thomas",
      "Atikokan|Blanc-Sablon|Cambridge_Bay|Coral_Harbour|Creston|Dawson|Dawson_Creek|Edmonton|Fort_Nelson|Glace_Bay",
      "Goose_Bay|Halifax|Inuvik|Iqaluit|Moncton|Montreal|Nipigon|Pangnirtung|Rainy_River|Rankin_Inlet|Regina|Resolute",
      "St_Johns|Swift_Current|Thunder_Bay|Toronto|Vancouver|Whitehorse|Winnipeg|Yellowknife",
    ].join("|")})$`,
    "^Pacific/(?:Guam|Honolulu|Midway|Pago_Pago|Palau|Saipan|Wake)$",
    "^Asia/Manila$",
  ].join("|"),
);

const yearFirst =
  /^Asia\/(?:Chongqing|Harbin|Hong_Kong|Macau|Pyongyang|Seoul|Shanghai|Taipei|Tokyo|Ulaanbaatar|Urumqi)$|^Europe\/(?:Budapest|Vilnius)$|^(?:Hongkong|Japan|PRC|ROC|ROK)$/;
