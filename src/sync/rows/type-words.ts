import {
  type JobType,
  type JobTypeNames,
  jobTypeNames,
  jobTypes,
  ownTypeName,
} from "../../models/job-types.ts";

/** The location's own words win. */
export function toTypeWords(location: Partial<JobTypeNames>): ReadonlyMap<string, JobType> {
  const words = new Map<string, JobType>();
  const add = (word: string, type: JobType) => {
    const plain = word.trim().toLowerCase();
    if (plain !== "" && !words.has(plain)) words.set(plain, type);
  };
  for (const type of jobTypes) add(type, type);
  for (const type of jobTypes) add(ownTypeName(location, type) ?? "", type);
  for (const type of jobTypes) add(jobTypeNames[type], type);
  for (const type of jobTypes) for (const word of usualWords[type]) add(word, type);
  return words;
}

const usualWords: Record<JobType, readonly string[]> = {
  D: ["drop off", "dropoff", "drop", "delivery", "deliver", "set", "start"],
  E: ["swap", "switch", "exch", "dump and return", "dump & return", "change out", "changeout"],
  L: ["live", "live-load", "wait and load"],
  P: ["pick up", "pick-up", "pick", "pull", "removal", "remove", "final"],
  R: ["svc", "repair", "maintenance"],
};
