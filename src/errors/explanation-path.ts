const pages = "/docs/errors/";

/** Where a server explains an error of a code to people; relative to the server's root. */
export function explanationPath(code: string): string {
  return `${pages}${code}`;
}

/** Whether a path leads to such a page, which is no request that a program could make. */
export function isExplanationPath(path: string): boolean {
  return path.startsWith(pages);
}
