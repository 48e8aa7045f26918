import type { Command } from "commander";
import type { CliContext } from "../context.ts";
import type { Program } from "../program.ts";

export interface BuiltinCommand {
  name: string;
  summary: string;
  group?: string;
  /** Runs without a verb. */
  hasDefaultVerb?: true;
  see?: readonly string[];
  /** An unneeded verb may be just a name and a summary, for lists in the help. */
  load(context: CliContext, program: Program, isVerbNeeded: (verb: string) => boolean): Promise<Command>;
}

export const builtinCommands: readonly BuiltinCommand[] = [
  {
    name: "day",
    summary: "show the jobs of a day by truck; --watch keeps it current",
    group: "Every day:",
    see: ["jobs list", "jobs map", "trucks job-list-pdf"],
    load: async (context) => {
      const { dayPrintCommand } = await import("./day-print/day-print.ts");
      return (await import("./day/day.ts")).dayCommand(context, [dayPrintCommand(context)]);
    },
  },
  {
    name: "find",
    summary: "find customers, jobs, trucks, and drivers by name or number",
    group: "Every day:",
    see: ["customers list", "jobs create", "day"],
    load: async (context, program) => (await import("./find/find.ts")).findCommand(context, program),
  },
  {
    name: "undo",
    summary: "undo your last change, or the last change of a record",
    group: "Every day:",
    see: ["jobs timeline", "audit list"],
    load: async (context) => (await import("./undo/undo.ts")).undoCommand(context),
  },
  {
    name: "init",
    summary: "create a store with a tenant, a location, and an owner",
    group: "Get started:",
    see: ["locations create", "serve", "demo"],
    load: async (context) => (await import("./init/init.ts")).initCommand(context),
  },
  {
    name: "demo",
    summary: "create a store with sample data; --serve also serves it",
    group: "Get started:",
    see: ["serve", "init", "help environment"],
    load: async (context) => (await import("./demo/demo.ts")).demoCommand(context),
  },
  {
    name: "serve",
    summary: "serve a store over HTTP",
    group: "Get started:",
    see: ["tokens create", "hooks deliver", "openapi"],
    load: async (context) => (await import("./serve/serve.ts")).serveCommand(context),
  },
  {
    name: "import",
    summary: "create and update records from a file",
    group: "Import and export:",
    load: async (context, _program, isVerbNeeded) =>
      (await import("./import/import.ts")).importCommand(context, isVerbNeeded),
  },
  {
    name: "export",
    summary: "write a list or all records of a tenant to a file",
    group: "Import and export:",
    load: async (context, _program, isVerbNeeded) =>
      (await import("./export/export.ts")).exportCommand(context, isVerbNeeded),
  },
  {
    name: "report",
    summary: "list the completed jobs of a month, for invoices",
    group: "Import and export:",
    see: ["export jobs", "jobs list"],
    load: async (context) => (await import("./report/report.ts")).reportCommand(context),
  },
  {
    name: "diff",
    summary: "compare the records of two tenants",
    group: "Import and export:",
    see: ["push", "pull", "export all"],
    load: async (context) => (await import("./diff/diff.ts")).diffCommand(context),
  },
  {
    name: "push",
    summary: "copy this tenant's records to another tenant",
    group: "Import and export:",
    see: ["diff", "pull", "import all"],
    load: async (context) => (await import("./push/push.ts")).pushCommand(context),
  },
  {
    name: "pull",
    summary: "copy another tenant's records into this one",
    group: "Import and export:",
    see: ["diff", "push", "export all"],
    load: async (context) => (await import("./push/push.ts")).pullCommand(context),
  },
  {
    name: "secrets",
    summary: "encrypt the webhook secrets in a store",
    group: "Operate a store:",
    see: ["backup", "doctor", "hooks rotate-secret"],
    load: async (context) => (await import("./secrets/secrets.ts")).secretsCommand(context),
  },
  {
    name: "backup",
    summary: "back up a store to a file, even while it is served",
    group: "Operate a store:",
    see: ["restore", "doctor", "store copy"],
    load: async (context) => (await import("./backup/backup.ts")).backupCommand(context),
  },
  {
    name: "restore",
    summary: "restore a store from a backup",
    group: "Operate a store:",
    see: ["backup", "doctor"],
    load: async (context) => (await import("./restore/restore.ts")).restoreCommand(context),
  },
  {
    name: "doctor",
    summary: "diagnose a store or server and suggest fixes",
    group: "Operate a store:",
    see: ["stats", "migrate", "backup"],
    load: async (context) => (await import("./doctor/doctor.ts")).doctorCommand(context),
  },
  {
    name: "stats",
    summary: "count the records of a tenant",
    group: "Operate a store:",
    see: ["doctor", "audit list"],
    load: async (context) => (await import("./stats/stats.ts")).statsCommand(context),
  },
  {
    name: "prune",
    summary: "delete expired data of tenants now",
    group: "Operate a store:",
    see: ["retention show", "retention set", "erasures list"],
    load: async (context) => (await import("./prune/prune.ts")).pruneCommand(context),
  },
  {
    name: "store",
    summary: "copy a whole store; allow webhooks to private addresses",
    group: "Operate a store:",
    load: async (context) => (await import("./store/store.ts")).storeCommand(context),
  },
  {
    name: "migrate",
    summary: "upgrade a store's schema, or show pending steps",
    group: "Operate a store:",
    see: ["store copy", "help environment"],
    load: async (context) => (await import("./migrate/migrate.ts")).migrateCommand(context),
  },
  {
    name: "clock",
    summary: "show the clock of a store, or set it in a sandbox store",
    group: "Operate a store:",
    load: async (context) => (await import("./clock/clock.ts")).clockCommand(context),
  },
  {
    name: "whoami",
    summary: "show the current target, tenant, and user",
    see: ["profiles list", "tenants list", "help environment"],
    load: async (context) => (await import("./whoami/whoami.ts")).whoamiCommand(context),
  },
  {
    name: "profiles",
    summary: "save targets by name, for --profile",
    load: async (context) => (await import("./profiles/profiles.ts")).profilesCommand(context),
  },
  {
    name: "api",
    summary: "send an HTTP request to the target and show the answer",
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
    summary: "list API versions, their changes, and the affected clients",
    hasDefaultVerb: true,
    see: ["help versions", "openapi", "api"],
    load: async (context) => (await import("./versions/versions.ts")).versionsCommand(context),
  },
  {
    name: "conformance",
    summary: "run the same commands on every kind of target and compare",
    see: ["api", "openapi"],
    load: async (context, program) =>
      (await import("./conformance/conformance.ts")).conformanceCommand(context, program),
  },
  {
    name: "explain",
    summary: "explain an error code, HTTP status, or exit code",
    see: ["help exit-codes"],
    load: async (context) => (await import("./explain/explain.ts")).explainCommand(context),
  },
  {
    name: "completion",
    summary: "print a script for completion in your shell",
    see: ["man"],
    load: async (context, program) =>
      (await import("./completion/completion.ts")).completionCommand(context, program),
  },
  {
    name: "commands",
    summary: "list all commands; as JSON for agents and tools",
    see: ["mcp", "man", "openapi"],
    load: async (context, program) =>
      (await import("./commands/commands.ts")).commandsCommand(context, program),
  },
  {
    name: "mcp",
    summary: "serve the operations as tools for language models (MCP)",
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

export const builtinVerbs: Readonly<Record<string, readonly BuiltinCommand[]>> = {
  jobs: [
    {
      name: "map",
      summary: "Draw a map of the day's stops by truck",
      load: async (context) => (await import("./jobs-map/jobs-map.ts")).jobsMapCommand(context),
    },
    {
      name: "note",
      summary: "Add a line to a job's notes",
      load: async (context) => (await import("./note/note.ts")).noteCommand(context, "jobs"),
    },
    {
      name: "route",
      summary: "Propose a shorter route for a truck; --apply sets it",
      load: async (context) => (await import("./jobs-route/jobs-route.ts")).jobsRouteCommand(context),
    },
  ],
  drivers: [
    {
      name: "off",
      summary: "Record the days on which a driver is off",
      load: async (context) => (await import("./absence/absence.ts")).offCommand(context, "drivers"),
    },
    {
      name: "back",
      summary: "End the absence of a driver",
      load: async (context) => (await import("./absence/absence.ts")).backCommand(context, "drivers"),
    },
  ],
  trucks: [
    {
      name: "off",
      summary: "Record the days on which a truck is out of service",
      load: async (context) => (await import("./absence/absence.ts")).offCommand(context, "trucks"),
    },
    {
      name: "back",
      summary: "End the absence of a truck",
      load: async (context) => (await import("./absence/absence.ts")).backCommand(context, "trucks"),
    },
    {
      name: "hand-over",
      summary: "Move a truck's remaining jobs of a day to another truck",
      load: async (context) =>
        (await import("./trucks-hand-over/trucks-hand-over.ts")).trucksHandOverCommand(context),
    },
  ],
  customers: [
    {
      name: "geocode",
      summary: "Ask a geocoder for positions that are approximate",
      load: async (context) =>
        (await import("./customers-geocode/customers-geocode.ts")).customersGeocodeCommand(context),
    },
    {
      name: "note",
      summary: "Add a line to a customer's note",
      load: async (context) => (await import("./note/note.ts")).noteCommand(context, "customers"),
    },
  ],
  retention: [
    {
      name: "show",
      summary: "Show retention rules and expired data",
      load: async (context) => (await import("./retention/retention.ts")).retentionShowCommand(context),
    },
    {
      name: "set",
      summary: "Set retention rules: events=30d audit=forever",
      load: async (context) => (await import("./retention/retention.ts")).retentionSetCommand(context),
    },
  ],
  tenants: [
    {
      name: "move",
      summary: "Move a tenant to another store, while people work",
      load: async (context) => (await import("./tenants-move/tenants-move.ts")).tenantsMoveCommand(context),
    },
  ],
  requests: [
    {
      name: "tail",
      summary: "Follow a server's requests for the tenant",
      load: async (context) =>
        (await import("./requests-tail/requests-tail.ts")).requestsTailCommand(context),
    },
  ],
  hooks: [
    {
      name: "health",
      summary: "list the webhooks of all tenants that fail or have a backlog",
      load: async (context) => (await import("./hooks-health/hooks-health.ts")).hooksHealthCommand(context),
    },
    {
      name: "deliver",
      summary: "Send the due deliveries of a store; --watch keeps sending",
      load: async (context) =>
        (await import("./hooks-deliver/hooks-deliver.ts")).hooksDeliverCommand(context),
    },
    {
      name: "pause",
      summary: "Hold all deliveries of a store",
      load: async (context) => (await import("./hooks-pause/hooks-pause.ts")).hooksPauseCommand(context),
    },
    {
      name: "resume",
      summary: "Send or discard held deliveries",
      load: async (context) => (await import("./hooks-resume/hooks-resume.ts")).hooksResumeCommand(context),
    },
    {
      name: "certify",
      summary: "Test a receiver with good and bad deliveries",
      load: async (context) =>
        (await import("./hooks-certify/hooks-certify.ts")).hooksCertifyCommand(context),
    },
    {
      name: "listen",
      summary: "Show events live and forward them to your receiver",
      load: async (context) => (await import("./hooks-listen/hooks-listen.ts")).hooksListenCommand(context),
    },
    {
      name: "trigger",
      summary: "Send a sample delivery for a record; nothing is stored",
      load: async (context) =>
        (await import("./hooks-trigger/hooks-trigger.ts")).hooksTriggerCommand(context),
    },
    {
      name: "verify",
      summary: "Verify the signatures of a delivery",
      load: async (context) => (await import("./hooks-verify/hooks-verify.ts")).hooksVerifyCommand(context),
    },
    {
      name: "sign",
      summary: "Print the signed headers of a sample delivery",
      load: async (context) => (await import("./hooks-sign/hooks-sign.ts")).hooksSignCommand(context),
    },
  ],
  tokens: [
    {
      name: "link",
      summary: "Print a link and a QR code that sign a person in to the board",
      load: async (context) => (await import("./tokens-link/tokens-link.ts")).tokensLinkCommand(context),
    },
  ],
  events: [
    {
      name: "kinds",
      summary: "List the kinds of events and their actions",
      load: async (context) => (await import("./events-kinds/events-kinds.ts")).eventsKindsCommand(context),
    },
  ],
};
