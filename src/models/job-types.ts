/** What a driver does when the job starts. */
export const jobTypes = ["D", "E", "L", "P", "R"] as const;
export type JobType = (typeof jobTypes)[number];

/** The job types in words, unless a location names them otherwise. */
export const jobTypeNames: Record<JobType, string> = {
  D: "Drop-off",
  E: "Exchange",
  L: "Live load",
  P: "Pickup",
  R: "Service",
};

/** The field of a location that names each type. */
const nameFields = {
  D: "dropoff_name",
  E: "exchange_name",
  L: "delivery_name",
  P: "pickup_name",
  R: "service_name",
} as const satisfies Record<JobType, string>;

/** The names that a location gives to the types of jobs. */
export type JobTypeNames = Readonly<Record<(typeof nameFields)[JobType], string | null>>;

/** The name that a location itself gives to a type of job; null for none. */
export function ownTypeName(location: Partial<JobTypeNames>, type: JobType): string | null {
  return location[nameFields[type]] ?? null;
}

/** What a type of job is called at a location, by default in the usual words. */
export function toTypeName(location: JobTypeNames | null, type: JobType): string {
  return location?.[nameFields[type]] ?? jobTypeNames[type] ?? type;
}
