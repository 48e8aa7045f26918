import { type ApiVersion, apiVersions } from "../api-versions.ts";

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
