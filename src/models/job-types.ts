/** What a driver does when the job starts (OP-40). */
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
