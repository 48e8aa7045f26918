import { failure } from "../../errors/errors.ts";
import type { Environment } from "../../runtime/environment.ts";
import { findService } from "./service-file.ts";

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

/** The variables of libpq that the driver does not read, or reads differently. */
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

/** The values of an address, and what each is called in an error: by where it came from. */
export interface AddressValues {
  values: Readonly<Record<ParameterName, string>>;
  nameOf(parameter: ParameterName): string;
}

/**
 * Collects what an address says, then what its service says, then libpq's variables, then the defaults: the first that says
 * anything counts (OP-331). Throws a usage error for parameters that are not known, and for services (see findService).
 */
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

/** What is left empty is not given. */
function toGiven(entries: readonly (readonly [string, string])[], source: string): Given {
  const given: Given = new Map();
  for (const [parameter, value] of entries) {
    if (parameter === "target_session_attrs")
      throw failure(
        "usage",
        `The ${source} has target_session_attrs, which is of use with several hosts only; this program takes one, and refuses changes while that is a standby.`,
      );
    if (!isParameter(parameter))
      throw failure(
        "usage",
        `The ${source} has the parameter "${parameter}"; known are ${Object.keys(defaults).join(", ")}.`,
      );
    if (value !== "") given.set(parameter, { value, name: `The parameter ${parameter} of the ${source}` });
  }
  return given;
}

const isParameter = (name: string): name is ParameterName => Object.hasOwn(defaults, name);

/** The parts of a URL by the names of the parameters with the same meaning, which go before them. */
function partsOf(url: URL): Partial<Record<ParameterName, string>> {
  return {
    // A host with a slash is the folder of a Unix socket, and stands in a parameter.
    host: decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1"),
    port: url.port,
    dbname: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}

const givenIn = (url: URL) => Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ""));
