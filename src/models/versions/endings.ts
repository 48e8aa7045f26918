import { type ApiVersion, apiVersions } from "../api-versions.ts";

/** Both dates begin at midnight UTC; `endsOn` is absent when it is unknown. */
export interface Ending {
  /** Written like a version. */
  deprecatedOn: string;
  endsOn?: string;
  /** The page about the change, relative to the server's root. */
  page: string;
}

export type VersionEndings = Partial<Record<ApiVersion, Pick<Ending, "deprecatedOn" | "endsOn">>>;

/** No version ends yet; one that does is declared here. */
export const versionEndings: VersionEndings = {};

interface Lasting {
  lifetime?: { until: ApiVersion };
}

/** The end of an operation at a version that still has it, else of the version itself; null where neither ends. */
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

/** In words that continue a sentence. */
export function toEndingText({ deprecatedOn, endsOn }: Pick<Ending, "deprecatedOn" | "endsOn">): string {
  return `deprecated since ${deprecatedOn}${endsOn === undefined ? "" : `, and ends on ${endsOn}`}`;
}

/** The first version without it. */
function afterLastOf(until: ApiVersion): string {
  return apiVersions.find((version) => version > until) ?? until;
}

function changesPage(version: ApiVersion): string {
  return `/docs/changes#${version.replaceAll("/", "-")}`;
}
