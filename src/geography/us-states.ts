/** Code, name, and the first three digits of the ZIPs. */
const states: readonly (readonly [code: string, name: string, zips: string])[] = [
  ["AL", "Alabama", "350-369"],
  ["AK", "Alaska", "995-999"],
  ["AZ", "Arizona", "850-865"],
  ["AR", "Arkansas", "716-729"],
  ["CA", "California", "900-961"],
  ["CO", "Colorado", "800-816"],
  ["CT", "Connecticut", "060-069"],
  ["DE", "Delaware", "197-199"],
  ["DC", "District of Columbia", "200 202-205 569"],
  ["FL", "Florida", "320-349"],
  ["GA", "Georgia", "300-319 398-399"],
  ["GU", "Guam", "969"],
  ["HI", "Hawaii", "967-968"],
  ["ID", "Idaho", "832-838"],
  ["IL", "Illinois", "600-629"],
  ["IN", "Indiana", "460-479"],
  ["IA", "Iowa", "500-528"],
  ["KS", "Kansas", "660-679"],
  ["KY", "Kentucky", "400-427"],
  ["LA", "Louisiana", "700-714"],
  ["ME", "Maine", "039-049"],
  ["MD", "Maryland", "206-219"],
  ["MA", "Massachusetts", "010-027 055"],
  ["MI", "Michigan", "480-499"],
  ["MN", "Minnesota", "550-567"],
  ["MS", "Mississippi", "386-397"],
  ["MO", "Missouri", "630-658"],
  ["MT", "Montana", "590-599"],
  ["NE", "Nebraska", "680-693"],
  ["NV", "Nevada", "889-898"],
  ["NH", "New Hampshire", "030-038"],
  ["NJ", "New Jersey", "070-089"],
  ["NM", "New Mexico", "870-884"],
  ["NY", "New York", "005 100-149"],
  ["NC", "North Carolina", "270-289"],
  ["ND", "North Dakota", "580-588"],
  ["OH", "Ohio", "430-459"],
  ["OK", "Oklahoma", "730-732 734-749"],
  ["OR", "Oregon", "970-979"],
  ["PA", "Pennsylvania", "150-196"],
  ["PR", "Puerto Rico", "006-007 009"],
  ["RI", "Rhode Island", "028-029"],
  ["SC", "South Carolina", "290-299"],
  ["SD", "South Dakota", "570-577"],
  ["TN", "Tennessee", "370-385"],
  ["TX", "Texas", "733 750-799 885"],
  ["UT", "Utah", "840-847"],
  ["VT", "Vermont", "050-054 056-059"],
  ["VI", "Virgin Islands", "008"],
  ["VA", "Virginia", "201 220-246"],
  ["WA", "Washington", "980-994"],
  ["WV", "West Virginia", "247-268"],
  ["WI", "Wisconsin", "530-549"],
  ["WY", "Wyoming", "820-831"],
];

interface Region {
  code: string;
  country: "CA" | "US";
}

const provinces = ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"];

/** By code and by name, in capitals; Canadian provinces by code only. */
export const regionCodes: ReadonlyMap<string, Region> = new Map<string, Region>([
  ...provinces.map((code): [string, Region] => [code, { code, country: "CA" }]),
  ...states.flatMap(([code, name]) =>
    [code, name.toUpperCase()].map((word): [string, Region] => [word, { code, country: "US" }]),
  ),
]);

/** null for unknown digits. A few border ZIPs deliver into the next state. */
export function stateOfZip(zip: string): string | null {
  const digits = Number(zip.slice(0, 3));
  const isIn = (range: string) => {
    const [first = "", last = first] = range.split("-");
    return digits >= Number(first) && digits <= Number(last);
  };
  return states.find(([, , zips]) => zips.split(" ").some(isIn))?.[0] ?? null;
}
