import { type DispatchError, failure } from "./errors.ts";

/** In a few words; `missing` is the text for a missing file. */
export function describeFileError(error: unknown, missing: string): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return missing;
  if (code === "EISDIR") return "it is a folder";
  if (code === "EBUSY") return "something else uses it";
  if (code === "EACCES" || code === "EPERM") return "the system does not allow it";
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") return "the disk is full";
  if (code === "EROFS") return "the disk is read-only";
  if (code === "ENOTDIR") return "a part of its path is not a folder";
  return code || error.message;
}

/** A wrong name is the caller's fault; a full disk is not. */
export function toWriteFailure(file: string, error: unknown): DispatchError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isWrongName = ["ENOENT", "EISDIR", "ENOTDIR", "ENAMETOOLONG"].includes(code);
  const reason = describeFileError(error, "there is no such folder");
  const name = file.replace(/\.[0-9a-f]{8}\.(?:copy|new)$/, "");
  const detail = `${name} cannot be written: ${reason}.`;
  return failure(isWrongName ? "usage" : "file_not_written", detail, null, error);
}
