import type { CliContext } from "../context.ts";
import type { HelpWriter } from "./fold-help.ts";

interface HelpTopic {
  summary: string;
  /** The manual page passes null, so that it is the same everywhere. */
  load(): Promise<(writer: HelpWriter, context: CliContext | null) => string | Promise<string>>;
}

export const helpTopics: Readonly<Record<string, HelpTopic>> = {
  "exit-codes": {
    summary: "exit codes",
    load: async () => (await import("./describe-topics.ts")).describeExitCodes,
  },
  environment: {
    summary: "environment variables",
    load: async () => (await import("./describe-topics.ts")).describeEnvironment,
  },
  filters: {
    summary: "filters of each list",
    load: async () => (await import("./describe-topics.ts")).describeFilters,
  },
  output: {
    summary: "output formats",
    load: async () => (await import("./describe-topics.ts")).describeOutput,
  },
  times: {
    summary: "accepted dates and times",
    load: async () => (await import("./describe-topics.ts")).describeTimes,
  },
  versions: {
    summary: "API versions",
    load: async () => (await import("./describe-topics.ts")).describeVersions,
  },
};
