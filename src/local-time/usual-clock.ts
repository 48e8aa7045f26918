export type Clock = "12h" | "24h";

export function usualClock(zoneName: string): Clock {
  const [area = "", place = ""] = zoneName.split("/");
  const isTwelve = twelveHourAreas.has(area) || twelveHourPlaces[area]?.has(place) || false;
  return isTwelve ? "12h" : "24h";
}

const twelveHourAreas = new Set(
  "US Canada Australia NZ NZ-CHAT Navajo EST5EDT CST6CDT MST7MDT PST8PDT HST".split(" "),
);

const toPlaces = (names: string) => new Set(names.trim().split(/\s+/));

/** The countries with a 12-hour clock: United States, Canada, New Zealand, India, and the Philippines. */
const twelveHourPlaces: Readonly<Record<string, ReadonlySet<string>>> = {
  America: toPlaces(`
    Adak Anchorage Atka Boise Chicago Denver Detroit Fort_Wayne Indiana Indianapolis Juneau Kentucky Knox_IN
    Los_Angeles Louisville Menominee Metlakatla New_York Nome North_Dakota Phoenix Puerto_Rico Shiprock Sitka
    St_Thomas Virgin Yakutat
    Atikokan Blanc-Sablon Cambridge_Bay Coral_Harbour Creston Dawson Dawson_Creek Edmonton Fort_Nelson Glace_Bay
    Goose_Bay Halifax Inuvik Iqaluit Moncton Montreal Nipigon Pangnirtung Rainy_River Rankin_Inlet Regina Resolute
    St_Johns Swift_Current Thunder_Bay Toronto Vancouver Whitehorse Winnipeg Yellowknife`),
  Asia: toPlaces("Calcutta Kolkata Manila"),
  Pacific: toPlaces("Auckland Chatham Guam Honolulu Johnston Midway Pago_Pago Saipan Samoa"),
};
