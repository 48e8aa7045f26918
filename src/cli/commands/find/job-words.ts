import type { AnswerNamed } from "../../../operations/client.ts";
import type { OptionValues } from "../../context.ts";

export type FoundHit = AnswerNamed<"search.find">["results"][number];

/** The options that say where a command works, and how times are read there. */
const passedOn = {
  profile: "--profile",
  data: "--data",
  secretKeyFile: "--secret-key-file",
  url: "--url",
  tokenFile: "--token-file",
  tenant: "--tenant",
  as: "--as",
  dateOrder: "--date-order",
} as const;

const passedFlags = { insecure: "--insecure", utc: "--utc" } as const;

/**
 * The words of the command that makes a job for a customer, at the same target, with times read alike. Its location is the
 * one that was asked for, else the customer's last; the command asks for what is still missing.
 */
export function toJobWords(hit: FoundHit, options: OptionValues): string[] {
  const location = options.location ?? hit.next_job?.location_id ?? hit.last_job?.location_id;
  return [
    ...["jobs", "create", "--requested-by", String(hit.id)],
    ...(hit.address_id === null ? [] : ["--address-id", String(hit.address_id)]),
    ...(location === undefined ? [] : ["--location", String(location)]),
    ...Object.entries(passedOn).flatMap(([name, option]) =>
      options[name] === undefined ? [] : [option, String(options[name])],
    ),
    ...Object.entries(passedFlags).flatMap(([name, flag]) => (options[name] === true ? [flag] : [])),
  ];
}
