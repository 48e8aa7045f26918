import type { JobType } from "../models/job-types.ts";
import type { Role } from "../models/user.ts";
import addressRows from "./addresses.csv?raw";

export interface MapPoint {
  latitude: number;
  longitude: number;
}

export interface UsAddress extends MapPoint {
  line_1: string;
  line_2: string;
  locality: string;
  region: string;
  postcode: string;
}

/** 499 real addresses that geocode. Six in Vermont have the post town of their ZIP code as their city. */
export function readUsAddresses(): UsAddress[] {
  return addressRows
    .trim()
    .split("\n")
    .filter((row) => !row.startsWith("#"))
    .map(toAddress);
}

function toAddress(row: string): UsAddress {
  const [line_1 = "", line_2 = "", locality = "", region = "", postcode = "", ...point] = row.split("|");
  const [latitude = 0, longitude = 0] = point.map(Number);
  return { latitude, line_1, line_2, locality, longitude, postcode, region };
}

export interface CompanyPlan {
  name: string;
  /** Haulers name the tenant by this code. */
  code: string;
  timeZone: string;
  /** The drivers have users of their own. */
  people: readonly PersonPlan[];
  yards: readonly [YardPlan, ...YardPlan[]];
}

export interface PersonPlan {
  username: string;
  role: Role;
  /** Sees the jobs of this hauler only. */
  haulerId?: string;
  /** Sees this yard only. */
  yard?: string;
}

export interface YardPlan {
  name: string;
  address: UsAddress;
  phone: string;
  typeNames?: { exchange_name?: string; service_name?: string };
  /** The prefix of the numbers of its assets and trucks. */
  prefix: string;
  trucks: readonly TruckPlan[];
  customers: number;
  /** Customers with a second site. */
  extraSites: number;
  /** Companies with several sites here and a head office elsewhere. */
  chains: readonly [ChainPlan, ...ChainPlan[]];
  /** The number of assets of each kind, in the order of `assetKinds`. */
  assets: readonly [number, number, number, number, number, number];
  landfills: readonly [DumpPlan, ...DumpPlan[]];
  holdingArea: UsAddress;
}

export type ChainPlan = [name: string, sites: number];

export type DumpPlan = [name: string, address: UsAddress];

export interface TruckPlan {
  type: keyof typeof truckTypes;
  haulerId?: string;
  /** Without one, the driver signs in with his or her own name. */
  driverUsername?: string;
  outOfService?: { days: number; why: string };
}

/** The kinds of assets. A truck services some kinds on a route, and leaves those where they stand. */
export const assetKinds = {
  "10-yard roll-off": { code: "10", weight: 3800, isServiced: false },
  "20-yard roll-off": { code: "20", weight: 4600, isServiced: false },
  "30-yard roll-off": { code: "30", weight: 5600, isServiced: false },
  "40-yard roll-off": { code: "40", weight: 6500, isServiced: false },
  "Portable toilet": { code: "PT", weight: 200, isServiced: true },
  "Front-load container": { code: "FL", weight: 900, isServiced: true },
} as const;

export type AssetKind = keyof typeof assetKinds;

interface TruckType {
  /** The kinds that the truck hauls, with the frequency of each. */
  hauls: Readonly<Partial<Record<AssetKind, number>>>;
  /** The frequency of each type of job: about as many assets go out as come back. */
  jobs: Readonly<Record<JobType, number>>;
}

const rollOffTruck: TruckType = {
  hauls: { "10-yard roll-off": 20, "20-yard roll-off": 35, "30-yard roll-off": 33, "40-yard roll-off": 12 },
  jobs: { D: 33, E: 14, L: 9, P: 31, R: 13 },
};
const serviceJobs = { D: 10, E: 2, L: 0, P: 10, R: 78 };

export const truckTypes = {
  "Front loader": { hauls: { "Front-load container": 1 }, jobs: serviceJobs },
  "Hook lift": rollOffTruck,
  "Pump truck": { hauls: { "Portable toilet": 1 }, jobs: serviceJobs },
  "Roll-off": rollOffTruck,
} as const satisfies Record<string, TruckType>;

export const ownerUsername = "olivia";

export const clientUsername = "clara";

/** A third-party hauler that drives for the first company. It cannot sign in: no password has this hash. */
export const hauler = {
  uuid: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  name: "Tidewater Hauling",
  password_hash: "none",
  username: "office@tidewater.example",
};
const haulerId = hauler.uuid;

const rollOff: TruckPlan = { type: "Roll-off" };
const hookLift: TruckPlan = { type: "Hook lift" };
const frontLoader: TruckPlan = { type: "Front loader" };
const pumpTruck: TruckPlan = { type: "Pump truck" };
const leaking = { days: 2, why: "Hydraulic cylinder leaks; part is ordered, back in about a week." };
const inspected = { days: 1, why: "Annual inspection; brakes on the second axle fail." };

/** In all: 3 locations, 20 trucks, 200 customers, and 150 assets. */
export const companies: readonly [CompanyPlan, CompanyPlan] = [
  {
    name: "Capital Roll-Off",
    code: "CAPITAL",
    timeZone: "America/New_York",
    people: [
      { username: "adam", role: "Admin" },
      { username: "dana", role: "Dispatcher" },
      { username: "nora", role: "Dispatcher", yard: "North yard" },
      { username: "cyrus", role: "CrmUser" },
      { username: "tess", role: "ThirdPartyDispatcher", haulerId },
    ],
    yards: [
      {
        name: "Main yard",
        address: toAddress("2350 Yardmaster Lane Northeast||Washington|DC|20018|38.9217|-76.9631"),
        phone: "(202) 555-0118",
        prefix: "M",
        trucks: [
          { ...rollOff, driverUsername: "drew" },
          rollOff,
          rollOff,
          hookLift,
          frontLoader,
          pumpTruck,
          { ...rollOff, outOfService: leaking },
          { ...hookLift, haulerId, driverUsername: "theo" },
        ],
        customers: 52,
        extraSites: 2,
        chains: [
          ["Harbor & Pine Homes", 5],
          ["Blue Heron Grocers", 4],
          ["Potomac Schools Trust", 3],
        ],
        assets: [9, 15, 14, 6, 9, 7],
        landfills: [
          [
            "Fort Lincoln Transfer Station",
            toAddress("4880 Benning Service Road Northeast||Washington|DC|20019|38.9003|-76.9522"),
          ],
          [
            "Anne Arundel Landfill",
            toAddress("389 Burns Crossing Extension||Severn|MD|21144|39.0862|-76.7012"),
          ],
        ],
        holdingArea: toAddress("2350 Yardmaster Lane Northeast||Washington|DC|20018|38.9219|-76.9626"),
      },
      {
        name: "North yard",
        address: toAddress("77 Tolland Industrial Park||Manchester|CT|06042|41.7909|-72.5215"),
        phone: "(860) 555-0164",
        prefix: "N",
        trucks: [
          rollOff,
          rollOff,
          rollOff,
          hookLift,
          frontLoader,
          pumpTruck,
          { ...rollOff, outOfService: inspected },
        ],
        customers: 74,
        extraSites: 3,
        chains: [
          ["Northeast Apartment Partners", 6],
          ["New England Lodging", 4],
          ["Yankee Builders Supply", 4],
        ],
        assets: [8, 13, 12, 5, 8, 6],
        landfills: [
          ["Hockanum Transfer Station", toAddress("120 Landfill Way||Manchester|CT|06040|41.7801|-72.5513")],
          ["Quabbin Regional Landfill", toAddress("35 New Ludlow Road||Granby|MA|01033|42.2298|-72.5107")],
        ],
        holdingArea: toAddress("77 Tolland Industrial Park||Manchester|CT|06042|41.7911|-72.521"),
      },
    ],
  },
  {
    name: "Bluegrass Hauling",
    code: "BLUEGRASS",
    timeZone: "America/Kentucky/Louisville",
    people: [{ username: "bea", role: "Dispatcher" }],
    yards: [
      {
        name: "Louisville yard",
        address: toAddress("1815 River Terminal Road||Louisville|KY|40208|38.2139|-85.7902"),
        phone: "(502) 555-0137",
        typeNames: { exchange_name: "Swap", service_name: "Dump & return" },
        prefix: "B",
        trucks: [rollOff, rollOff, hookLift, frontLoader, pumpTruck],
        customers: 65,
        extraSites: 0,
        chains: [
          ["Cumberland Music Halls", 4],
          ["Derby Row Hotels", 3],
          ["Ohio Valley Distillers", 3],
        ],
        assets: [6, 10, 9, 4, 5, 4],
        landfills: [
          [
            "Outer Loop Landfill",
            toAddress("2673 Outer Loop Service Road||Louisville|KY|40219|38.1392|-85.7276"),
          ],
          [
            "Cockrill Bend Transfer Station",
            toAddress("7340 Cockrill Bend Access Road||Nashville|TN|37209|36.1781|-86.8902"),
          ],
        ],
        holdingArea: toAddress("1815 River Terminal Road||Louisville|KY|40208|38.2141|-85.7897"),
      },
    ],
  },
];

export const materials = [
  { description: "Construction debris", group_description: "Debris", unit_price: 62, uom: "ton" },
  { description: "Clean concrete", group_description: "Recycling", unit_price: 28.5, uom: "ton" },
  { description: "Mixed metal", group_description: "Recycling", unit_price: 0, uom: "ton" },
  { description: "Yard waste", group_description: "Green", unit_price: 41, uom: "ton" },
];

export const truckColors = ["#1f6feb", "#2da44e", "#bf8700", "#cf222e", "#8250df", "#0a7ea4", "#57606a"];

export const salesPeople = ["Cyrus Hale", "Monique Baptiste", "Jon Aasen"];

export const dispatcherSentences = [
  "Place on the right side of the driveway, doors facing the street.",
  "Gate code 4471#.",
  "Call 30 minutes ahead.",
  "Use the service entrance behind the building; the front lane is closed for paving.",
  "Low wires at the entrance, do not raise the rails before the second pole.",
  "Put boards under the rails, the asphalt is new.",
  "Site superintendent is on site from 6:30, ask for him at the trailer.",
  "Customer wants the can as close to the garage as possible without blocking the sidewalk.",
  "Truck route only: the bridge on the county road is posted at 12 tons.",
  "Back in from the alley. A flagger is needed between 7 and 9 in the morning.",
  "Swap must happen before noon, a roofing crew of eight waits for the empty.",
  "Clean wood only. If there is plaster or drywall on top, take a photo and call.",
  "Permit is posted on the meter. Keep 15 feet from the hydrant.",
  "Do not enter while the school bus is loading, 7:40 to 8:10 and 14:30 to 15:00.",
  "Owner speaks Spanish: “llame al llegar, el portón queda cerrado”.",
  "Tenant asked for no backing alarm before 7; not possible, told them so.",
  "Second can stands behind the first, take the full one.",
  "Weight was 2.4 tons over last time. Check the fill line before you load.",
  "Bring extra tarps and two straps, open top with light insulation.",
  "If nobody answers, leave the unit on the gravel pad by the sign and send a photo.",
];

/** Notes of several hundred characters, up to nearly the maximum of a note (2048). */
export const siteInstructions = [
  [
    "SITE RULES, read before you enter. Hard hat, vest and boots at all times; the safety officer sends drivers away",
    "without them, and we pay for the trip. Check in at gate 3 on the north side, not at the main gate. Give the purchase",
    "order number and the number of your truck. Maximum speed 5 mph, hazard lights on, windows down. You need a spotter",
    "whenever you back up: radio channel 4, ask for Luis or for the crane foreman.",
    "",
    "Cans stand in two rows along the east fence. Row A is concrete and brick only, row B is mixed debris. Take from the end",
    "nearest to the gate and set the empty at the far end, so that the oldest is always taken first. If a can is above the",
    "fill line do not touch it: take a photo, send it to dispatch, and wait for a call. The crew levels it off in about ten",
    "minutes when they are told.",
    "",
    "The ground in front of row B is soft after rain. If you see standing water, stay on the steel plates. A truck sank to the",
    "axle there in spring and it took two wreckers to get it out.",
    "",
    "No loading between 11:30 and 12:15, the concrete trucks have the road then. No idling longer than five minutes, the city",
    "inspector lives across the street. Sweep up what falls off. The scale ticket goes into the box at the gate house on",
    "your way out, the copy to us.",
    "",
    "Telephone of the gate house (202) 555-0190, superintendent (202) 555-0191, after hours call dispatch.",
  ].join("\n"),
  [
    "Hospital, active emergency entrance. Come between 5:30 and 6:45 only, never block the ambulance lane, not even for a",
    "minute. Security opens the bollards at dock C after you call them from the street, the number is on the sign. The old",
    "container is locked; the key hangs in the dock office, sign the list for it. Wheels must be chocked and boards put",
    "under the rollers, the dock has a new coating and the last scratch cost us 900 dollars. Tarp before you move, not at",
    "the exit. If anything in the load looks like medical waste, red bags above all, stop, leave the container, and call",
    "dispatch from the truck.",
  ].join("\n"),
  [
    "Third attempt at this address, please read what happened before. First time a moving van stood in the driveway, second",
    "time the low branch of the oak caught the rails. The owner has had the tree cut and promises that the driveway is free",
    "from 7 on. Come from the south, the cul-de-sac is too tight to turn with a 30-yard can on. Set it left of the",
    "basketball hoop, on the plywood that is laid out there, with the doors facing the house. The neighbor at no. 9 films",
    "everything: stay off his grass, and be friendly. If it does not work this time either, do not argue, take a photo and",
    "call, we will bring two smaller ones tomorrow.",
  ].join("\n"),
];

export const customerSentences = [
  "Please come early, the street fills up after 8.",
  "We will have someone on site all day.",
  "The neighbor’s car may be in the way. Ring at no. 14, he moves it.",
  "Can you leave the container until Monday?",
  "The dog is friendly, but please close the gate.",
  "Door must face the house so that we can roll the fridge in.",
  "Need a receipt with our purchase order number on it.",
  "Same place as last time.",
  "Is it possible to take two old tires as well? We pay the extra charge.",
  "Somebody keeps parking in front of it. We will put out cones.",
  "Proszę dzwonić dopiero po 8:00, wcześniej nikogo nie ma na budowie.",
  "We are renovating two floors, there will be a pickup every week until the end of the month.",
];

export const driverSentences = [
  "Done, no issues.",
  "Gate was locked, waited 20 minutes.",
  "Overfilled, had the crew take some off the top before tarping.",
  "Placed next to the old can, no room on the pad.",
  "Small scrape on the curb was there before, photo taken.",
  "Scale line was 40 minutes.",
  "Rail pin is loose on this one, needs the shop.",
  "Customer signed on paper.",
  "Moved it ten feet at the customer’s wish.",
  "Mattress and two tires inside, told dispatch.",
];

export const invoiceSentences = [
  "Waiting time 30 minutes.",
  "Overweight charge for 1.2 tons.",
  "Trip charge waived, our mistake.",
  "Bill to the head office, not to the site.",
  "Extra rental from day 8.",
  "Discount of 10% agreed with sales for the season.",
];

export const accountSentences = [
  "Net 30, pays on time.",
  "Prefers e-mail over telephone.",
  "Card on file.",
  "Certificate of insurance on file until the end of the year.",
  "Always ask for the purchase order number before you book.",
  "Two sites, one bill. The bill goes to accounting, never to the site.",
  "Was with a competitor until last spring over a late swap; treat with care.",
  "Tax exempt, the form is in the folder.",
  "Seasonal: quiet from December to February.",
  "Wants the same driver every time where we can.",
];

/** Each fits the field `fail_reason`. */
export const failReasons = [
  "Blocked by parked cars",
  "Gate locked, nobody on site",
  "Overloaded, above the fill line",
  "Wrong material in the container",
  "Customer sent the driver away",
  "Ground too soft for the truck",
  "Low wires, cannot raise the rails",
  "Street closed by the police",
];

/** Each fits the field `flags`. */
export const jobFlags = [
  "Call ahead",
  "Gate code",
  "Tight alley",
  "New driver",
  "Photo please",
  "Cash on site",
];

/** Wishes of customers for jobs without an assigned asset. */
export const assetWishes = [
  "closed top if there is one",
  "low sides, we load by hand",
  "with a tarp",
  "the cleanest you have, it stands in front of a shop",
  "with a wheelchair ramp",
  "any color but red",
];

/** Names with scripts and accents that every screen, print, and search must handle. */
export const businessesAnywhere = split(`
  Ångström Labs, Čapek Builders, Café Não Só Pão, Château d’Eau Pools, Łukasz Bączek Roofing,
  Müller & Söhne Interiors, Nguyễn Family Market, O’Brien–Keane Plumbing & Heating, Peña e Hijos Concrete,
  Þórsson Timber Frames, Γεωργίου & Co, Дом и Сад Landscaping, 山田建設`);

export const trades = split(`
  Apartments, Auto Body, Builders, Concrete & Paving, Construction, Demolition, Development Group, Electric,
  Events, Excavating, Flooring, Furniture Warehouse, General Contractors, Golf Club, Grocers,
  Home Improvement, Homes LLC, Hotel, Interiors, Kitchen & Bath, Landscaping, Manufacturing, Masonry,
  Medical Center, Property Management, Remodeling, Restoration, Roofing, School District, Self Storage,
  Siding & Windows, Steel Supply, Tree Service`);

export const families = split(`
  Abernathy, Alvarez, Ashford, Bannister, Beckett, Birchwood, Bluestone, Boone, Brightwater, Calloway,
  Carver, Cedarcrest, Chapman, Copperfield, Cranston, Delgado, Dominion, Eastgate, Ellison, Fairmount,
  Falcon, Fenwick, Gallagher, Granite, Greenway, Harlan, Hawthorne, Highland, Ironwood, Jefferson, Keystone,
  Kingsley, Lakeshore, Langston, Liberty, Magnolia, Meridian, Montrose, Northstar, Oakmont, Osborne,
  Patterson, Pinecrest, Quarry, Redfern, Ridgeline, Riverbend, Sandoval, Silverline, Stonebridge, Summit,
  Thornton, Tidewater, Underwood, Valley, Vanguard, Wakefield, Westbrook, Whitaker, Yorktown`);

export const firstNames = split(`
  Aaliyah, Aaron, Abigail, Alejandro, Amara, Andre, Angela, Anita, Benjamin, Beatriz, Bridget, Caleb,
  Camila, Carlos, Charlotte, Chen, Daniel, Darnell, Deborah, Diego, Dominic, Edith, Elena, Elijah, Emmanuel,
  Esther, Fatima, Felix, Frances, Gabriel, Gloria, Grace, Hannah, Harold, Hassan, Hector, Imani, Ingrid,
  Isaac, Ivan, Jamal, Janet, Jerome, Joanna, Joel, Kareem, Kathleen, Kenji, Keisha, Lamar, Leah, Leonard,
  Lucia, Malik, Marcus, Margaret, Marisol, Mateo, Mei, Miriam, Nadia, Nathaniel, Naomi, Noah, Oscar,
  Patrice, Priya, Quentin, Rafael, Rebecca, Rosa, Russell, Samir, Sandra, Sofia, Terrence, Thomas, Valeria,
  Vincent, Walter, Wendy, Yusuf`);

export const lastNames = split(`
  Adams, Bailey, Barnes, Bauer, Bell, Bennett, Brooks, Butler, Campbell, Castillo, Chavez, Coleman, Cooper,
  Cox, Cruz, Diaz, Edwards, Evans, Fisher, Flores, Foster, Garcia, Gomez, Graham, Gray, Griffin, Gutierrez,
  Hamilton, Harris, Hayes, Henderson, Hernandez, Howard, Hughes, Jackson, Jenkins, Johnson, Jordan, Kelly,
  Kim, Lewis, Lopez, Martinez, McDonald, Mitchell, Morales, Murphy, Nelson, Nguyen, Ortiz, Owens, Park,
  Patel, Perez, Perry, Powell, Ramirez, Reed, Reyes, Rivera, Robinson, Rogers, Ross, Ruiz, Russell, Sanders,
  Santiago, Simmons, Singh, Stewart, Sullivan, Taylor, Thompson, Torres, Tran, Turner, Walker, Ward,
  Washington, Watson, Wood, Wright, Young, Zimmerman`);

function split(text: string): string[] {
  return text.split(",").map((name) => name.trim().replace(/\s+/g, " "));
}
