import { type JobType, jobTypeNames, jobTypes } from "../../models/job-types.ts";

/** What a location calls the types of its jobs. */
interface TypeNames {
  delivery_name?: string | null;
  dropoff_name?: string | null;
  exchange_name?: string | null;
  pickup_name?: string | null;
  service_name?: string | null;
}

/** Words for the types of jobs, in lower case → the type; those of the location go before all others. */
export function toTypeWords(location: TypeNames): ReadonlyMap<string, JobType> {
  const own: Record<JobType, string | null | undefined> = {
    D: location.dropoff_name,
    E: location.exchange_name,
    L: location.delivery_name,
    P: location.pickup_name,
    R: location.service_name,
  };
  const words = new Map<string, JobType>();
  const add = (word: string, type: JobType) => {
    const plain = word.trim().toLowerCase();
    if (plain !== "" && !words.has(plain)) words.set(plain, type);
  };
  for (const type of jobTypes) add(type, type);
  for (const type of jobTypes) add(own[type] ?? "", type);
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
