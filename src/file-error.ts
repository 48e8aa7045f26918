/** Why a file cannot be used, in a few words; `missing` says what is not there. */
export function describeFileError(error: unknown, missing: string): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return missing;
  if (code === "EISDIR") return "it is a folder";
  if (code === "EACCES" || code === "EPERM") return "the system does not allow it";
  return code || error.message;
}
