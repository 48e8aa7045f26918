import { type ApiVersion, apiVersions } from "../api-versions.ts";

/** Since when something is deprecated and, where that is known, when it ends; both begin at midnight UTC. */
export interface Ending {
  /** Written like a version. */
  deprecatedOn: string;
  endsOn?: string;
  /** Where the change is told to people, relative to the server's root. */
  page: string;
}

/** The versions that end, by version. */
export type VersionEndings = Partial<Record<ApiVersion, Pick<Ending, "deprecatedOn" | "endsOn">>>;

/** The interface names no version that ends; one that does is declared here. */
export const versionEndings: VersionEndings = {};

/** What an operation says of its end. */
interface Lasting {
  lifetime?: { until: ApiVersion };
}

/** The end of an operation at a version that has it still, else of the version itself; null where neither ends. */
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

/** The same in words, which go on with a sentence. */
export function toEndingText({ deprecatedOn, endsOn }: Pick<Ending, "deprecatedOn" | "endsOn">): string {
  return `deprecated since ${deprecatedOn}${endsOn === undefined ? "" : `, and ends on ${endsOn}`}`;
}

/** The first version that has it no more. */
function afterLastOf(until: ApiVersion): string {
  return apiVersions.find((version) => version > until) ?? until;
}

function changesPage(version: ApiVersion): string {
  return `/docs/changes#${version.replaceAll("/", "-")}`;
}
