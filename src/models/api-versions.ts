/** Oldest first (docs/interface.md, Versions). */
export const apiVersions = [
  "2019/02/08",
  "2021/04/07",
  "2021/05/07",
  "2021/08/02",
  "2021/11/04",
  "2023/04/19",
] as const;

export type ApiVersion = (typeof apiVersions)[number];

/** For requests without a version (docs/interface.md). */
export const defaultVersion: ApiVersion = "2019/02/08";

export const newestVersion: ApiVersion = "2023/04/19";

export function isApiVersion(text: string): text is ApiVersion {
  return apiVersions.some((version) => version === text);
}
