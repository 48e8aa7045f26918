import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { failure } from "../../errors/errors.ts";
import type { Environment } from "../../runtime/environment.ts";

/** The parameters of a service, and the file that has them. */
export interface Service {
  parameters: ReadonlyMap<string, string>;
  file: string;
}

/**
 * Looks a service up as libpq does (PostgreSQL's documentation, "The Connection Service File"): in the file of
 * PGSERVICEFILE, else in ~/.pg_service.conf; if it is not there, in pg_service.conf of the folder PGSYSCONFDIR. Throws a usage
 * error for a service that no file has, and for a file that cannot be read or understood.
 */
export function findService(name: string, env: Environment): Service {
  const files = serviceFiles(env);
  for (const { file, isNamed } of files) {
    if (!isNamed && !existsSync(file)) continue;
    const parameters = parseServiceFile(readText(file), name, file);
    if (parameters) return { parameters, file };
  }
  const places = files.map(({ file }) => file).join(" or ");
  throw failure("usage", `The service "${name}" of PostgreSQL is not in ${places}.`);
}

/** Where services are looked for, in order. A file that is named must be there. */
function serviceFiles(env: Environment): { file: string; isNamed: boolean }[] {
  const { PGSERVICEFILE: named, PGSYSCONFDIR: folder } = env;
  const own = named
    ? { file: named, isNamed: true }
    : { file: join(env.HOME || homedir(), ".pg_service.conf"), isNamed: false };
  return folder ? [own, { file: join(folder, "pg_service.conf"), isNamed: false }] : [own];
}

/** The parameters below `[name]`, of which the first of each name counts; null when there is no such service. */
function parseServiceFile(text: string, name: string, file: string): Map<string, string> | null {
  let found: Map<string, string> | null = null;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("[")) {
      if (found) return found;
      if (line.startsWith(`[${name}]`)) found = new Map();
    } else if (found) {
      const [key, value] = parseLine(line, `Line ${index + 1} of ${file}`);
      if (!found.has(key)) found.set(key, value);
    }
  }
  return found;
}

/** The line is not repeated: it may hold a password. */
function parseLine(line: string, place: string): [key: string, value: string] {
  const [, key, value] = /^([a-z_]+)=(.*)$/.exec(line) ?? [];
  if (key === undefined || value === undefined)
    throw failure("usage", `${place} is no parameter of a service such as host=db.internal.`);
  if (key === "service" || key === "servicefile")
    throw failure("usage", `${place} names another service, which libpq does not follow either.`);
  return [key, value];
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("usage", `The service file ${file} cannot be read: ${reason}.`, null, error);
  }
}
