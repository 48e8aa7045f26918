import type { Command } from "commander";
import type { CliContext } from "../context.ts";
import type { Program } from "../program.ts";

/** A command that stands for no operation. */
export interface BuiltinCommand {
  name: string;
  summary: string;
  /** The heading that it stands under in the help. */
  group?: string;
  /** Without a verb it does what one of its verbs does. */
  hasDefaultVerb?: true;
  /** What its help points to. */
  see?: readonly string[];
  /** A verb that is not needed may be left a name with a summary: only the lists of the help show it. */
  load(context: CliContext, program: Program, isVerbNeeded: (verb: string) => boolean): Promise<Command>;
}

/** The builtin commands, in the order of the help. Each loads when it is named. */
export const builtinCommands: readonly BuiltinCommand[] = [
  {
    name: "day",
    summary: "show the jobs of a day by truck; with --watch, on the wall",
    group: "Every day:",
    see: ["jobs list", "jobs map", "trucks job-list-pdf"],
    load: async (context) => {
      const { dayPrintCommand } = await import("./day-print/day-print.ts");
      return (await import("./day/day.ts")).dayCommand(context, [dayPrintCommand(context)]);
    },
  },
  {
    name: "find",
    summary: "find customers, jobs, trucks and drivers by what people call them",
    group: "Every day:",
    see: ["customers list", "jobs create", "day"],
    load: async (context, program) => (await import("./find/find.ts")).findCommand(context, program),
  },
  {
    name: "undo",
    summary: "take back your last change, or the last one of a record",
    group: "Every day:",
    see: ["jobs timeline", "audit list"],
    load: async (context) => (await import("./undo/undo.ts")).undoCommand(context),
  },
  {
    name: "init",
    summary: "make a store with a tenant, a location and its owner",
    group: "Begin and serve:",
    see: ["locations create", "serve", "demo"],
    load: async (context) => (await import("./init/init.ts")).initCommand(context),
  },
  {
    name: "demo",
    summary: "make a store full of examples; with --serve, serve it",
    group: "Begin and serve:",
    see: ["serve", "init", "help environment"],
    load: async (context) => (await import("./demo/demo.ts")).demoCommand(context),
  },
  {
    name: "serve",
    summary: "serve a store over HTTP",
    group: "Begin and serve:",
    see: ["tokens create", "hooks deliver", "openapi"],
    load: async (context) => (await import("./serve/serve.ts")).serveCommand(context),
  },
  {
    name: "import",
    summary: "create and change records by the rows of a file",
    group: "Records in and out:",
    load: async (context, _program, isVerbNeeded) =>
      (await import("./import/import.ts")).importCommand(context, isVerbNeeded),
  },
  {
    name: "export",
    summary: "write lists, or all records of a tenant, to a file",
    group: "Records in and out:",
    load: async (context, _program, isVerbNeeded) =>
      (await import("./export/export.ts")).exportCommand(context, isVerbNeeded),
  },
  {
    name: "diff",
    summary: "compare the records of two tenants, in stores or on servers",
    group: "Records in and out:",
    see: ["push", "pull", "export all"],
    load: async (context) => (await import("./diff/diff.ts")).diffCommand(context),
  },
  {
    name: "push",
    summary: "make another tenant's records like those here",
    group: "Records in and out:",
    see: ["diff", "pull", "import all"],
    load: async (context) => (await import("./push/push.ts")).pushCommand(context),
  },
  {
    name: "pull",
    summary: "make the records here like another tenant's",
    group: "Records in and out:",
    see: ["diff", "push", "export all"],
    load: async (context) => (await import("./push/push.ts")).pullCommand(context),
  },
  {
    name: "secrets",
    summary: "keep the secrets of webhooks encrypted in a store",
    group: "Keep a store:",
    see: ["backup", "doctor", "hooks rotate-secret"],
    load: async (context) => (await import("./secrets/secrets.ts")).secretsCommand(context),
  },
  {
    name: "backup",
    summary: "back a store up into one file, also while it is served",
    group: "Keep a store:",
    see: ["restore", "doctor", "store copy"],
    load: async (context) => (await import("./backup/backup.ts")).backupCommand(context),
  },
  {
    name: "restore",
    summary: "make a store of a backup",
    group: "Keep a store:",
    see: ["backup", "doctor"],
    load: async (context) => (await import("./restore/restore.ts")).restoreCommand(context),
  },
  {
    name: "doctor",
    summary: "find what is wrong with a store or server, and its cure",
    group: "Keep a store:",
    see: ["stats", "migrate", "backup"],
    load: async (context) => (await import("./doctor/doctor.ts")).doctorCommand(context),
  },
  {
    name: "stats",
    summary: "count what a tenant of a store has",
    group: "Keep a store:",
    see: ["doctor", "audit list"],
    load: async (context) => (await import("./stats/stats.ts")).statsCommand(context),
  },
  {
    name: "prune",
    summary: "remove now what tenants keep no longer",
    group: "Keep a store:",
    see: ["retention show", "retention set", "erasures list"],
    load: async (context) => (await import("./prune/prune.ts")).pruneCommand(context),
  },
  {
    name: "store",
    summary: "copy a whole store to another place; say where its webhooks may lead",
    group: "Keep a store:",
    load: async (context) => (await import("./store/store.ts")).storeCommand(context),
  },
  {
    name: "migrate",
    summary: "bring a store up to date, or show what is missing",
    group: "Keep a store:",
    see: ["store copy", "help environment"],
    load: async (context) => (await import("./migrate/migrate.ts")).migrateCommand(context),
  },
  {
    name: "clock",
    summary: "show the clock of a store, and move it in a sandbox store",
    group: "Keep a store:",
    load: async (context) => (await import("./clock/clock.ts")).clockCommand(context),
  },
  {
    name: "whoami",
    summary: "show the target, the tenant and as whom you act, and why",
    see: ["profiles list", "tenants list", "help environment"],
    load: async (context) => (await import("./whoami/whoami.ts")).whoamiCommand(context),
  },
  {
    name: "profiles",
    summary: "keep targets by name, and use them with --profile",
    load: async (context) => (await import("./profiles/profiles.ts")).profilesCommand(context),
  },
  {
    name: "api",
    summary: "send any request to the target and show the answer",
    see: ["openapi", "explain", "help versions"],
    load: async (context) => (await import("./api/api.ts")).apiCommand(context),
  },
  {
    name: "openapi",
    summary: "show the OpenAPI document of a version",
    see: ["api", "versions", "help versions"],
    load: async (context) => (await import("./openapi/openapi.ts")).openapiCommand(context),
  },
  {
    name: "versions",
    summary: "list the API versions, what changed, and whom it concerns",
    hasDefaultVerb: true,
    see: ["help versions", "openapi", "api"],
    load: async (context) => (await import("./versions/versions.ts")).versionsCommand(context),
  },
  {
    name: "conformance",
    summary: "run the same commands on every kind of target and compare them",
    see: ["api", "openapi"],
    load: async (context, program) =>
      (await import("./conformance/conformance.ts")).conformanceCommand(context, program),
  },
  {
    name: "explain",
    summary: "say what an error code, a status or an exit code means",
    see: ["help exit-codes"],
    load: async (context) => (await import("./explain/explain.ts")).explainCommand(context),
  },
  {
    name: "completion",
    summary: "print what makes a shell complete the program's words",
    see: ["man"],
    load: async (context, program) =>
      (await import("./completion/completion.ts")).completionCommand(context, program),
  },
  {
    name: "commands",
    summary: "list every command, for agents and tools as JSON",
    see: ["mcp", "man", "openapi"],
    load: async (context, program) =>
      (await import("./commands/commands.ts")).commandsCommand(context, program),
  },
  {
    name: "mcp",
    summary: "serve the operations to language models as tools",
    see: ["commands", "api", "serve"],
    load: async (context) => (await import("./mcp/mcp.ts")).mcpCommand(context),
  },
  {
    name: "man",
    summary: "print the manual page",
    see: ["completion", "--help"],
    load: async (context, program) => (await import("./man/man.ts")).manCommand(context, program),
  },
];

/** The builtin verbs of nouns. */
export const builtinVerbs: Readonly<Record<string, readonly BuiltinCommand[]>> = {
  jobs: [
    {
      name: "map",
      summary: "Draw the stops of a day by truck, as a page or a picture",
      load: async (context) => (await import("./jobs-map/jobs-map.ts")).jobsMapCommand(context),
    },
    {
      name: "route",
      summary: "Propose a shorter order for the jobs of a truck; --apply sets it",
      load: async (context) => (await import("./jobs-route/jobs-route.ts")).jobsRouteCommand(context),
    },
  ],
  retention: [
    {
      name: "show",
      summary: "Show how long tenants keep what, and what is past its time",
      load: async (context) => (await import("./retention/retention.ts")).retentionShowCommand(context),
    },
    {
      name: "set",
      summary: "Set how long tenants keep what: events=30d audit=never",
      load: async (context) => (await import("./retention/retention.ts")).retentionSetCommand(context),
    },
  ],
  requests: [
    {
      name: "tail",
      summary: "Follow the requests that a server answers to the tenant",
      load: async (context) =>
        (await import("./requests-tail/requests-tail.ts")).requestsTailCommand(context),
    },
  ],
  hooks: [
    {
      name: "deliver",
      summary: "Make the deliveries that are due in a store; --watch goes on",
      load: async (context) =>
        (await import("./hooks-deliver/hooks-deliver.ts")).hooksDeliverCommand(context),
    },
    {
      name: "pause",
      summary: "Hold the deliveries of a store, of all its tenants",
      load: async (context) => (await import("./hooks-pause/hooks-pause.ts")).hooksPauseCommand(context),
    },
    {
      name: "resume",
      summary: "Let deliveries go on that were held, or discard them",
      load: async (context) => (await import("./hooks-resume/hooks-resume.ts")).hooksResumeCommand(context),
    },
    {
      name: "certify",
      summary: "Judge a receiver by what it does with good and bad deliveries",
      load: async (context) =>
        (await import("./hooks-certify/hooks-certify.ts")).hooksCertifyCommand(context),
    },
    {
      name: "listen",
      summary: "Show events as they come and forward them to a receiver of yours",
      load: async (context) => (await import("./hooks-listen/hooks-listen.ts")).hooksListenCommand(context),
    },
    {
      name: "trigger",
      summary: "Send the delivery that an event of a record would make; store nothing",
      load: async (context) =>
        (await import("./hooks-trigger/hooks-trigger.ts")).hooksTriggerCommand(context),
    },
    {
      name: "verify",
      summary: "Say whether the signatures of a delivery hold, and if not, why",
      load: async (context) => (await import("./hooks-verify/hooks-verify.ts")).hooksVerifyCommand(context),
    },
    {
      name: "sign",
      summary: "Print the headers of a signed sample, for a test of a receiver",
      load: async (context) => (await import("./hooks-sign/hooks-sign.ts")).hooksSignCommand(context),
    },
  ],
  events: [
    {
      name: "kinds",
      summary: "List the kinds of events, their actions and when each happens",
      load: async (context) => (await import("./events-kinds/events-kinds.ts")).eventsKindsCommand(context),
    },
  ],
};
