import type { Command } from "commander";
import type { World } from "../context.ts";

/** A command that is no operation. */
export interface StoreCommand {
  name: string;
  summary: string;
  /** The heading that it stands under in the help. */
  group?: string;
  /** What its help points to. */
  see?: readonly string[];
  load(world: World): Promise<Command>;
}

/** The commands that are no operation, in the order of the help; each loads when it is named. */
export const storeCommands: readonly StoreCommand[] = [
  {
    name: "day",
    summary: "show the jobs of a day by truck; with --watch, on the wall",
    group: "Every day:",
    see: ["jobs list", "jobs map", "trucks job-list-pdf"],
    load: async (world) => (await import("./day/day.ts")).dayCommand(world),
  },
  {
    name: "init",
    summary: "make a store with a tenant, a location and its owner",
    group: "Begin and serve:",
    see: ["locations create", "serve", "demo"],
    load: async (world) => (await import("./init/init.ts")).initCommand(world),
  },
  {
    name: "demo",
    summary: "make a store full of examples; with --serve, serve it",
    group: "Begin and serve:",
    see: ["serve", "init", "help environment"],
    load: async (world) => (await import("./demo/demo.ts")).demoCommand(world),
  },
  {
    name: "serve",
    summary: "serve a store over HTTP",
    group: "Begin and serve:",
    see: ["tokens create", "hooks deliver", "openapi"],
    load: async (world) => (await import("./serve/serve.ts")).serveCommand(world),
  },
  {
    name: "import",
    summary: "create and change records by the rows of a file",
    group: "Records in and out:",
    load: async (world) => (await import("./import/import.ts")).importCommand(world),
  },
  {
    name: "export",
    summary: "write lists, or all records of a tenant, to a file",
    group: "Records in and out:",
    load: async (world) => (await import("./export/export.ts")).exportCommand(world),
  },
  {
    name: "diff",
    summary: "compare the records of two tenants, in stores or on servers",
    group: "Records in and out:",
    see: ["push", "pull", "export all"],
    load: async (world) => (await import("./diff/diff.ts")).diffCommand(world),
  },
  {
    name: "push",
    summary: "make another tenant's records like those here",
    group: "Records in and out:",
    see: ["diff", "pull", "import all"],
    load: async (world) => (await import("./push/push.ts")).pushCommand(world),
  },
  {
    name: "pull",
    summary: "make the records here like another tenant's",
    group: "Records in and out:",
    see: ["diff", "push", "export all"],
    load: async (world) => (await import("./push/push.ts")).pullCommand(world),
  },
  {
    name: "backup",
    summary: "back a store up into one file, also while it is served",
    group: "Keep a store:",
    see: ["restore", "doctor", "store copy"],
    load: async (world) => (await import("./backup/backup.ts")).backupCommand(world),
  },
  {
    name: "restore",
    summary: "make a store of a backup",
    group: "Keep a store:",
    see: ["backup", "doctor"],
    load: async (world) => (await import("./restore/restore.ts")).restoreCommand(world),
  },
  {
    name: "doctor",
    summary: "find what is wrong with a store or server, and its cure",
    group: "Keep a store:",
    see: ["stats", "migrate", "backup"],
    load: async (world) => (await import("./doctor/doctor.ts")).doctorCommand(world),
  },
  {
    name: "stats",
    summary: "count what a tenant of a store has",
    group: "Keep a store:",
    see: ["doctor", "audit list"],
    load: async (world) => (await import("./stats/stats.ts")).statsCommand(world),
  },
  {
    name: "store",
    summary: "copy a whole store to another file or database",
    group: "Keep a store:",
    load: async (world) => (await import("./store/store.ts")).storeCommand(world),
  },
  {
    name: "migrate",
    summary: "bring a store up to date, or show what is missing",
    group: "Keep a store:",
    see: ["store copy", "help environment"],
    load: async (world) => (await import("./migrate/migrate.ts")).migrateCommand(world),
  },
  {
    name: "clock",
    summary: "show the clock of a store, and move it in a sandbox store",
    group: "Keep a store:",
    load: async (world) => (await import("./clock/clock.ts")).clockCommand(world),
  },
  {
    name: "whoami",
    summary: "show the target, the tenant and as whom you act, and why",
    see: ["profiles list", "tenants list", "help environment"],
    load: async (world) => (await import("./whoami/whoami.ts")).whoamiCommand(world),
  },
  {
    name: "profiles",
    summary: "keep targets by name, and use them with --profile",
    load: async (world) => (await import("./profiles/profiles.ts")).profilesCommand(world),
  },
  {
    name: "api",
    summary: "send any request to the target and show the answer",
    see: ["openapi", "explain", "help versions"],
    load: async (world) => (await import("./api/api.ts")).apiCommand(world),
  },
  {
    name: "openapi",
    summary: "show the OpenAPI document of a version",
    see: ["api", "versions", "help versions"],
    load: async (world) => (await import("./openapi/openapi.ts")).openapiCommand(world),
  },
  {
    name: "versions",
    summary: "list the API versions, what changed, and whom it concerns",
    see: ["help versions", "openapi", "api"],
    load: async (world) => (await import("./versions/versions.ts")).versionsCommand(world),
  },
  {
    name: "conformance",
    summary: "run the same commands on every kind of target and compare them",
    see: ["api", "openapi"],
    load: async (world) => (await import("./conformance/conformance.ts")).conformanceCommand(world),
  },
  {
    name: "explain",
    summary: "say what an error code, a status or an exit code means",
    see: ["help exit-codes"],
    load: async (world) => (await import("./explain/explain.ts")).explainCommand(world),
  },
  {
    name: "completion",
    summary: "print what makes a shell complete the program's words",
    see: ["man"],
    load: async (world) => (await import("./completion/completion.ts")).completionCommand(world),
  },
  {
    name: "man",
    summary: "print the manual page",
    see: ["completion", "--help"],
    load: async (world) => (await import("./man/man.ts")).manCommand(world),
  },
];

/** The verbs of a noun that are no operation. */
export const storeVerbs: Readonly<Record<string, readonly StoreCommand[]>> = {
  jobs: [
    {
      name: "map",
      summary: "Draw the stops of a day by truck, as a page or a picture",
      load: async (world) => (await import("./jobs-map/jobs-map.ts")).jobsMapCommand(world),
    },
  ],
  hooks: [
    {
      name: "deliver",
      summary: "Make the deliveries that are due in a store; --watch goes on",
      load: async (world) => (await import("./hooks-deliver/hooks-deliver.ts")).hooksDeliverCommand(world),
    },
    {
      name: "certify",
      summary: "Judge a receiver by what it does with good and bad deliveries",
      load: async (world) => (await import("./hooks-certify/hooks-certify.ts")).hooksCertifyCommand(world),
    },
    {
      name: "listen",
      summary: "Show events as they come and forward them to a receiver of yours",
      load: async (world) => (await import("./hooks-listen/hooks-listen.ts")).hooksListenCommand(world),
    },
    {
      name: "trigger",
      summary: "Send the delivery that an event of a record would make; store nothing",
      load: async (world) => (await import("./hooks-trigger/hooks-trigger.ts")).hooksTriggerCommand(world),
    },
    {
      name: "verify",
      summary: "Say whether the signatures of a delivery hold, and if not, why",
      load: async (world) => (await import("./hooks-verify/hooks-verify.ts")).hooksVerifyCommand(world),
    },
  ],
};
