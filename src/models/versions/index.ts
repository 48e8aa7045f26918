import { type ApiVersion, apiVersions } from "../api-versions.ts";
import { renameCustomerId } from "./2021-04-07-rename-customer-id.ts";
import { truckParametersInBody } from "./2021-05-07-truck-parameters-in-body.ts";
import { jobCreatorAndCustomer } from "./2021-11-04-job-creator-and-customer.ts";
import type { Change, ModelChange, RequestChange } from "./change.ts";

/** Oldest first. 2021/08/02 ends an operation (its `lifetime`); 2023/04/19 has no known change. */
export const changes: readonly Change[] = [renameCustomerId, truckParametersInBody, jobCreatorAndCustomer];

/** Newest first: the order of converting back. */
export function modelChangesSince(version: ApiVersion, model: string): ModelChange[] {
  return changes
    .filter((change) => change.kind === "model")
    .filter((change) => change.model === model && change.introduced > version)
    .reverse();
}

/** null if the input is the same. */
export function requestChangeSince(version: ApiVersion, operation: string): RequestChange | null {
  const unknown = changes
    .filter((change) => change.kind === "request")
    .filter((change) => change.operation === operation && change.introduced > version);
  if (unknown.length > 1)
    throw new Error(`${operation}: its input changed more than once; walk the changes in turn.`);
  return unknown[0] ?? null;
}

interface SentInput {
  query: Readonly<Record<string, string>>;
  body: unknown;
}

/** For a server at `version`. */
export function toRequestInput(operation: string, version: ApiVersion, sent: SentInput): SentInput {
  const change = requestChangeSince(version, operation);
  if (!change || typeof sent.body !== "object" || sent.body === null) return sent;
  const { query, body } = change.down({ query: sent.query, body: { ...sent.body } });
  const texts = Object.entries(query).map(([name, value]) => [name, value === null ? "" : String(value)]);
  return { query: Object.fromEntries(texts), body: body ?? undefined };
}

/** Dates are midnight UTC. `endsOn` is absent if unknown. */
export interface Ending {
  /** Written like a version. */
  deprecatedOn: string;
  endsOn?: string;
  page: string;
}

export type VersionEndings = Partial<Record<ApiVersion, Pick<Ending, "deprecatedOn" | "endsOn">>>;

/** No version ends yet. */
export const versionEndings: VersionEndings = {};

interface Lasting {
  lifetime?: { until: ApiVersion };
}

/** The end of an operation, else of the version; null if neither ends. */
export function endingOf(
  { lifetime }: Lasting,
  version: ApiVersion,
  endings: VersionEndings = versionEndings,
): Ending | null {
  if (lifetime && version <= lifetime.until)
    return { deprecatedOn: afterLastOf(lifetime.until), page: changesPage(lifetime.until) };
  const ending = endings[version];
  return ending ? { ...ending, page: changesPage(version) } : null;
}

/** The text continues a sentence. */
export function toEndingText({ deprecatedOn, endsOn }: Pick<Ending, "deprecatedOn" | "endsOn">): string {
  return `deprecated since ${deprecatedOn}${endsOn === undefined ? "" : `, and ends on ${endsOn}`}`;
}

function afterLastOf(until: ApiVersion): string {
  return apiVersions.find((version) => version > until) ?? until;
}

function changesPage(version: ApiVersion): string {
  return `/docs/changes#${version.replaceAll("/", "-")}`;
}
