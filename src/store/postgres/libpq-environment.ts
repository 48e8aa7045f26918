/** The environment's variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

let current: Environment = {};

/**
 * Says where libpq's variables (`PGSSLMODE`, `PGSERVICE` …) are read from: the process' own, which only the command line is
 * given. The driver reads those of the server and the user (`PGHOST`, `PGPASSWORD` …) by itself, for the whole process too.
 */
export function setLibpqEnvironment(env: Environment): void {
  current = env;
}

/** The variables of which `setLibpqEnvironment` was told last; none before. */
export function libpqEnvironment(): Environment {
  return current;
}
