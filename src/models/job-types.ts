/** The driver's task at the start of the job. */
export const jobTypes = ["D", "E", "L", "P", "R"] as const;
export type JobType = (typeof jobTypes)[number];

/** A location may have its own names. */
export const jobTypeNames: Record<JobType, string> = {
  D: "Drop-off",
  E: "Exchange",
  L: "Live load",
  P: "Pickup",
  R: "Service",
};

const nameFields = {
  D: "dropoff_name",
  E: "exchange_name",
  L: "delivery_name",
  P: "pickup_name",
  R: "service_name",
} as const satisfies Record<JobType, string>;

export type JobTypeNames = Readonly<Record<(typeof nameFields)[JobType], string | null>>;

export function ownTypeName(location: Partial<JobTypeNames>, type: JobType): string | null {
  return location[nameFields[type]] ?? null;
}

export function toTypeName(location: JobTypeNames | null, type: JobType): string {
  return location?.[nameFields[type]] ?? jobTypeNames[type] ?? type;
}
