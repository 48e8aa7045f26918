import type { JobType } from "../models/job-types.ts";
import type { Role } from "../models/user.ts";
import type { Point } from "./addresses.ts";

/** A tenant of the demo, as it is planned. */
export interface CompanyPlan {
  name: string;
  /** What haulers name it by. */
  code: string;
  timeZone: string;
  /** Those who work for the whole company or for one of its yards; its drivers have users of their own. */
  people: readonly PersonPlan[];
  yards: readonly [YardPlan, ...YardPlan[]];
}

export interface PersonPlan {
  username: string;
  role: Role;
  /** Sees the jobs of this hauler only (OP-53). */
  haulerId?: string;
  /** Sees this yard only (OP-53). */
  yard?: string;
}

/** A location with its trucks, assets and customers, as it is planned. */
export interface YardPlan extends Point {
  name: string;
  line_1: string;
  locality: string;
  postcode: string;
  region: string;
  phone: string;
  /** What the location calls job types that it names its own way. */
  typeNames?: { exchange_name?: string; service_name?: string };
  /** Begins the numbers of its assets and trucks. */
  prefix: string;
  trucks: readonly TruckPlan[];
  /** Customers with a site near the yard; some more sites belong to those who have two. */
  customers: number;
  extraSites: number;
  /** Companies that have several sites here and a head office elsewhere. */
  chains: readonly [ChainPlan, ...ChainPlan[]];
  assets: Readonly<Record<AssetKind, number>>;
  dumps: readonly DumpPlan[];
}

interface ChainPlan {
  name: string;
  sites: number;
}

export interface TruckPlan {
  type: keyof typeof truckTypes;
  /** Belongs to this third-party hauler. */
  haulerId?: string;
  /** The name under which its driver signs in; otherwise made of the driver's name. */
  driverUsername?: string;
  /** Why it is out of service, and for how many days. */
  outOfService?: { days: number; why: string };
}

export interface DumpPlan extends Point {
  description: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  isHoldingYard: boolean;
}

/** The kinds of assets, by name. Those that are serviced stay where they are and are emptied on a route. */
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
  /** The kinds it can haul, by how often each is asked for. */
  hauls: Readonly<Partial<Record<AssetKind, number>>>;
  /** How often it is sent out for each job type: about as many assets go out as come back. */
  jobs: Readonly<Record<JobType, number>>;
}

const rollOffTruck: TruckType = {
  hauls: { "10-yard roll-off": 20, "20-yard roll-off": 35, "30-yard roll-off": 33, "40-yard roll-off": 12 },
  jobs: { D: 33, E: 14, L: 9, P: 31, R: 13 },
};
const serviceJobs = { D: 10, E: 2, L: 0, P: 10, R: 78 };

/** The types of trucks, by name. */
export const truckTypes = {
  "Front loader": { hauls: { "Front-load container": 1 }, jobs: serviceJobs },
  "Hook lift": rollOffTruck,
  "Pump truck": { hauls: { "Portable toilet": 1 }, jobs: serviceJobs },
  "Roll-off": rollOffTruck,
} as const satisfies Record<string, TruckType>;

/** Who owns both companies. */
export const ownerUsername = "olivia";

/** Acts for the customers of the first chain of the first yard. */
export const clientUsername = "clara";

/** A third-party hauler that drives for the first company. Nobody can sign in as it: no password has that hash. */
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

/** The demo's two tenants: 3 locations, 20 trucks, 200 customers and 150 assets in all. */
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
        line_1: "2350 Yardmaster Lane Northeast",
        locality: "Washington",
        region: "DC",
        postcode: "20018",
        latitude: 38.9217,
        longitude: -76.9631,
        phone: "(202) 555-0118",
        prefix: "M",
        trucks: [
          { ...rollOff, driverUsername: "drew" },
          rollOff,
          rollOff,
          hookLift,
          frontLoader,
          pumpTruck,
          {
            ...rollOff,
            outOfService: {
              days: 2,
              why: "Hydraulic cylinder leaks; part is ordered, back in about a week.",
            },
          },
          { ...hookLift, haulerId, driverUsername: "theo" },
        ],
        customers: 52,
        extraSites: 2,
        chains: [
          { name: "Harbor & Pine Homes", sites: 5 },
          { name: "Blue Heron Grocers", sites: 4 },
          { name: "Potomac Schools Trust", sites: 3 },
        ],
        assets: {
          "10-yard roll-off": 9,
          "20-yard roll-off": 15,
          "30-yard roll-off": 14,
          "40-yard roll-off": 6,
          "Portable toilet": 9,
          "Front-load container": 7,
        },
        dumps: [
          {
            description: "Fort Lincoln Transfer Station",
            address: "4880 Benning Service Road Northeast",
            city: "Washington",
            state: "DC",
            zip: "20019",
            latitude: 38.9003,
            longitude: -76.9522,
            isHoldingYard: false,
          },
          {
            description: "Anne Arundel Landfill",
            address: "389 Burns Crossing Extension",
            city: "Severn",
            state: "MD",
            zip: "21144",
            latitude: 39.0862,
            longitude: -76.7012,
            isHoldingYard: false,
          },
          {
            description: "Main yard, holding area",
            address: "2350 Yardmaster Lane Northeast",
            city: "Washington",
            state: "DC",
            zip: "20018",
            latitude: 38.9219,
            longitude: -76.9626,
            isHoldingYard: true,
          },
        ],
      },
      {
        name: "North yard",
        line_1: "77 Tolland Industrial Park",
        locality: "Manchester",
        region: "CT",
        postcode: "06042",
        latitude: 41.7909,
        longitude: -72.5215,
        phone: "(860) 555-0164",
        prefix: "N",
        trucks: [
          rollOff,
          rollOff,
          rollOff,
          hookLift,
          frontLoader,
          pumpTruck,
          {
            ...rollOff,
            outOfService: { days: 1, why: "Annual inspection; brakes on the second axle fail." },
          },
        ],
        customers: 74,
        extraSites: 3,
        chains: [
          { name: "Northeast Apartment Partners", sites: 6 },
          { name: "New England Lodging", sites: 4 },
          { name: "Yankee Builders Supply", sites: 4 },
        ],
        assets: {
          "10-yard roll-off": 8,
          "20-yard roll-off": 13,
          "30-yard roll-off": 12,
          "40-yard roll-off": 5,
          "Portable toilet": 8,
          "Front-load container": 6,
        },
        dumps: [
          {
            description: "Hockanum Transfer Station",
            address: "120 Landfill Way",
            city: "Manchester",
            state: "CT",
            zip: "06040",
            latitude: 41.7801,
            longitude: -72.5513,
            isHoldingYard: false,
          },
          {
            description: "Quabbin Regional Landfill",
            address: "35 New Ludlow Road",
            city: "Granby",
            state: "MA",
            zip: "01033",
            latitude: 42.2298,
            longitude: -72.5107,
            isHoldingYard: false,
          },
          {
            description: "North yard, holding area",
            address: "77 Tolland Industrial Park",
            city: "Manchester",
            state: "CT",
            zip: "06042",
            latitude: 41.7911,
            longitude: -72.521,
            isHoldingYard: true,
          },
        ],
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
        line_1: "1815 River Terminal Road",
        locality: "Louisville",
        region: "KY",
        postcode: "40208",
        latitude: 38.2139,
        longitude: -85.7902,
        phone: "(502) 555-0137",
        typeNames: { exchange_name: "Swap", service_name: "Dump & return" },
        prefix: "B",
        trucks: [rollOff, rollOff, hookLift, frontLoader, pumpTruck],
        customers: 65,
        extraSites: 0,
        chains: [
          { name: "Cumberland Music Halls", sites: 4 },
          { name: "Derby Row Hotels", sites: 3 },
          { name: "Ohio Valley Distillers", sites: 3 },
        ],
        assets: {
          "10-yard roll-off": 6,
          "20-yard roll-off": 10,
          "30-yard roll-off": 9,
          "40-yard roll-off": 4,
          "Portable toilet": 5,
          "Front-load container": 4,
        },
        dumps: [
          {
            description: "Outer Loop Landfill",
            address: "2673 Outer Loop Service Road",
            city: "Louisville",
            state: "KY",
            zip: "40219",
            latitude: 38.1392,
            longitude: -85.7276,
            isHoldingYard: false,
          },
          {
            description: "Cockrill Bend Transfer Station",
            address: "7340 Cockrill Bend Access Road",
            city: "Nashville",
            state: "TN",
            zip: "37209",
            latitude: 36.1781,
            longitude: -86.8902,
            isHoldingYard: false,
          },
          {
            description: "Louisville yard, holding area",
            address: "1815 River Terminal Road",
            city: "Louisville",
            state: "KY",
            zip: "40208",
            latitude: 38.2141,
            longitude: -85.7897,
            isHoldingYard: true,
          },
        ],
      },
    ],
  },
];
