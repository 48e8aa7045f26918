import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { failure } from "../../errors/errors.ts";
import type { Environment } from "../../runtime/environment.ts";

const defaults = {
  application_name: "dispatch-cli",
  connect_timeout: "10",
  dbname: "",
  host: "",
  options: "",
  password: "",
  pool_max: "10",
  pool_mode: "auto",
  port: "",
  row_level_security: "required",
  schema: "",
  service: "",
  sslcert: "",
  sslkey: "",
  sslmode: "",
  sslrootcert: "",
  statement_timeout: "30000",
  user: "",
};

/** libpq's variables that the driver does not read, or reads differently. */
const variables: Readonly<Partial<Record<ParameterName, string>>> = {
  application_name: "PGAPPNAME",
  connect_timeout: "PGCONNECT_TIMEOUT",
  options: "PGOPTIONS",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
};

type ParameterName = keyof typeof defaults;

export interface AddressValues {
  values: Readonly<Record<ParameterName, string>>;
  nameOf(parameter: ParameterName): string;
}

/** Precedence: the address, its service, libpq's variables, the defaults. Throws a usage error. */
export function collectValues(url: URL, env: Environment): AddressValues {
  const address = toGiven(Object.entries({ ...partsOf(url), ...givenIn(url) }), "address in --data");
  const named = address.get("service")?.value || env.PGSERVICE || "";
  const collected = new Map([...fromEnvironment(env), ...fromService(named, env), ...address]);
  const given = Array.from(collected, ([parameter, { value }]) => [parameter, value] as const);
  return {
    values: { ...defaults, ...Object.fromEntries(given) },
    nameOf: (parameter) =>
      collected.get(parameter)?.name ?? `The parameter ${parameter} of the address in --data`,
  };
}

type Given = Map<ParameterName, { value: string; name: string }>;

function fromService(name: string, env: Environment): Given {
  if (name === "") return new Map();
  const { parameters, file } = findService(name, env);
  return toGiven([...parameters], `service "${name}" in ${file}`);
}

function fromEnvironment(env: Environment): Given {
  const entries = Object.entries(variables) as [ParameterName, string][];
  return new Map(
    entries.flatMap(([parameter, name]) => {
      const value = env[name];
      return value ? [[parameter, { value, name }]] : [];
    }),
  );
}

function toGiven(entries: readonly (readonly [string, string])[], source: string): Given {
  const given: Given = new Map();
  for (const [parameter, value] of entries) {
    if (parameter === "target_session_attrs")
      throw failure(
        "usage",
        `The ${source} has target_session_attrs, which needs several hosts. This program connects to one host, and refuses changes while that is a standby.`,
      );
    if (!isParameter(parameter))
      throw failure(
        "usage",
        `The ${source} has the unknown parameter "${parameter}". Known parameters: ${Object.keys(defaults).join(", ")}.`,
      );
    if (value !== "") given.set(parameter, { value, name: `The parameter ${parameter} of the ${source}` });
  }
  return given;
}

const isParameter = (name: string): name is ParameterName => Object.hasOwn(defaults, name);

function partsOf(url: URL): Partial<Record<ParameterName, string>> {
  return {
    // The folder of a Unix socket has slashes, so it comes as a parameter.
    host: decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1"),
    port: url.port,
    dbname: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}

const givenIn = (url: URL) => Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ""));

interface Service {
  parameters: ReadonlyMap<string, string>;
  file: string;
}

/** Searches PGSERVICEFILE, ~/.pg_service.conf, and PGSYSCONFDIR, as libpq does. Throws a usage error. */
function findService(name: string, env: Environment): Service {
  const files = serviceFiles(env);
  for (const { file, isNamed } of files) {
    if (!isNamed && !existsSync(file)) continue;
    const parameters = parseServiceFile(readText(file), name, file);
    if (parameters) return { parameters, file };
  }
  const places = files.map(({ file }) => file).join(" or ");
  throw failure("usage", `The service "${name}" of PostgreSQL is not in ${places}.`);
}

/** In the order of search. A named file must exist. */
function serviceFiles(env: Environment): { file: string; isNamed: boolean }[] {
  const { PGSERVICEFILE: named, PGSYSCONFDIR: folder } = env;
  const own = named
    ? { file: named, isNamed: true }
    : { file: join(env.HOME || homedir(), ".pg_service.conf"), isNamed: false };
  return folder ? [own, { file: join(folder, "pg_service.conf"), isNamed: false }] : [own];
}

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

/** Errors do not quote the line: it may hold a password. */
function parseLine(line: string, place: string): [key: string, value: string] {
  const [, key, value] = /^([a-z_]+)=(.*)$/.exec(line) ?? [];
  if (key === undefined || value === undefined)
    throw failure("usage", `${place} is not a parameter of a service, such as host=db.internal.`);
  if (key === "service" || key === "servicefile")
    throw failure("usage", `${place} names another service, which neither libpq nor this program follows.`);
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
