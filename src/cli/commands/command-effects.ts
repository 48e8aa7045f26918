/**
 * What running a command can do: read, change something, or change what is hard to take back; such commands ask first, or are
 * as strong as what they are given.
 */
export type CommandEffect = "dangerous" | "read" | "write";

/** The effects of the builtin commands, by their words; a noun stands for all of its verbs that are not named. */
export const builtinEffects: Readonly<Record<string, CommandEffect>> = {
  api: "dangerous",
  backup: "read",
  clock: "write",
  "clock show": "read",
  commands: "read",
  completion: "read",
  conformance: "dangerous",
  day: "write",
  "day print": "read",
  demo: "write",
  diff: "read",
  doctor: "read",
  "events kinds": "read",
  explain: "read",
  export: "read",
  find: "read",
  "hooks certify": "write",
  "hooks deliver": "write",
  "hooks listen": "read",
  "hooks pause": "write",
  "hooks resume": "dangerous",
  "hooks sign": "read",
  "hooks trigger": "write",
  "hooks verify": "read",
  import: "write",
  "import template": "read",
  init: "write",
  "jobs map": "read",
  "jobs route": "write",
  man: "read",
  mcp: "write",
  migrate: "write",
  openapi: "read",
  profiles: "write",
  "profiles list": "read",
  "profiles show": "read",
  prune: "dangerous",
  pull: "dangerous",
  push: "dangerous",
  "requests tail": "read",
  restore: "dangerous",
  "retention set": "write",
  "retention show": "read",
  secrets: "write",
  "secrets decrypt": "dangerous",
  "secrets status": "read",
  serve: "write",
  stats: "read",
  store: "write",
  undo: "dangerous",
  versions: "read",
  whoami: "read",
};

/** The effect of a builtin command; one that is not listed may do anything. */
export function effectOfBuiltin(path: readonly string[]): CommandEffect {
  return builtinEffects[path.join(" ")] ?? builtinEffects[path[0] ?? ""] ?? "dangerous";
}
