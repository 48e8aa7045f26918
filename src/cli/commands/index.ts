import type { Command } from "commander";
import type { World } from "../world.ts";

interface StoreCommand {
  name: string;
  summary: string;
  load(world: World): Promise<Command>;
}

/** The commands that are no operation, in the order of the help; each loads when it is named. */
export const storeCommands: readonly StoreCommand[] = [
  {
    name: "init",
    summary: "make a store with a tenant, a location and its owner",
    load: async (world) => (await import("./init.ts")).initCommand(world),
  },
  {
    name: "demo",
    summary: "make a store full of examples; with --serve, serve it",
    load: async (world) => (await import("./demo.ts")).demoCommand(world),
  },
  {
    name: "serve",
    summary: "serve a store over HTTP",
    load: async (world) => (await import("./serve.ts")).serveCommand(world),
  },
  {
    name: "export",
    summary: "write all records of a kind to a file, as csv, ndjson or json",
    load: async (world) => (await import("./export.ts")).exportCommand(world),
  },
  {
    name: "store",
    summary: "copy a whole store to another file or database",
    load: async (world) => (await import("./store.ts")).storeCommand(world),
  },
  {
    name: "import",
    summary: "take records from a file",
    load: async (world) => (await import("./import.ts")).importCommand(world),
  },
  {
    name: "diff",
    summary: "compare the records of two tenants, in stores or on servers",
    load: async (world) => (await import("./diff.ts")).diffCommand(world),
  },
  {
    name: "push",
    summary: "make another tenant's records like those here",
    load: async (world) => (await import("./push.ts")).pushCommand(world),
  },
  {
    name: "pull",
    summary: "make the records here like another tenant's",
    load: async (world) => (await import("./push.ts")).pullCommand(world),
  },
  {
    name: "migrate",
    summary: "bring a store up to date, or show what is missing",
    load: async (world) => (await import("./migrate.ts")).migrateCommand(world),
  },
  {
    name: "api",
    summary: "send any request to the target and show the answer",
    load: async (world) => (await import("./api.ts")).apiCommand(world),
  },
  {
    name: "openapi",
    summary: "show the OpenAPI document of a version",
    load: async (world) => (await import("./openapi.ts")).openapiCommand(world),
  },
  {
    name: "profiles",
    summary: "keep targets by name, and use them with --profile",
    load: async (world) => (await import("./profiles.ts")).profilesCommand(world),
  },
  {
    name: "whoami",
    summary: "show the target, the tenant and as whom you act, and why",
    load: async (world) => (await import("./whoami.ts")).whoamiCommand(world),
  },
];

/** The verbs of a noun that are no operation. */
export const storeVerbs: Readonly<Record<string, readonly StoreCommand[]>> = {
  hooks: [
    {
      name: "deliver",
      summary: "Make the deliveries that are due in a store; --watch goes on",
      load: async (world) => (await import("./hooks-deliver.ts")).hooksDeliverCommand(world),
    },
    {
      name: "certify",
      summary: "Judge a receiver by what it does with good and bad deliveries",
      load: async (world) => (await import("./hooks-certify.ts")).hooksCertifyCommand(world),
    },
    {
      name: "listen",
      summary: "Show events as they come and forward them to a receiver of yours",
      load: async (world) => (await import("./hooks-listen.ts")).hooksListenCommand(world),
    },
    {
      name: "trigger",
      summary: "Send the delivery that an event of a record would make; store nothing",
      load: async (world) => (await import("./hooks-trigger.ts")).hooksTriggerCommand(world),
    },
    {
      name: "verify",
      summary: "Say whether the signatures of a delivery hold, and if not, why",
      load: async (world) => (await import("./hooks-verify.ts")).hooksVerifyCommand(world),
    },
  ],
};
