const pages = "/docs/errors/";

/** The server's page about an error. */
export function explanationPath(code: string): string {
  return `${pages}${code}`;
}

export function isExplanationPath(path: string): boolean {
  return path.startsWith(pages);
}
