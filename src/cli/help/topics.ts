import type { CliContext } from "../context.ts";
import type { HelpWriter } from "./fold-help.ts";

interface HelpTopic {
  summary: string;
  /** The manual page is the same everywhere: it is written without a context. */
  load(): Promise<(writer: HelpWriter, context: CliContext | null) => string | Promise<string>>;
}

/** What `help <topic>` tells, each from the tables that the program itself uses. */
export const helpTopics: Readonly<Record<string, HelpTopic>> = {
  "exit-codes": {
    summary: "what the exit codes mean",
    load: async () => (await import("./describe-topics.ts")).describeExitCodes,
  },
  environment: {
    summary: "the environment variables that are read",
    load: async () => (await import("./describe-topics.ts")).describeEnvironment,
  },
  filters: {
    summary: "what each list can be filtered by",
    load: async () => (await import("./describe-topics.ts")).describeFilters,
  },
  output: {
    summary: "the forms that answers are shown in",
    load: async () => (await import("./describe-topics.ts")).describeOutput,
  },
  times: {
    summary: "how dates and times may be typed",
    load: async () => (await import("./describe-topics.ts")).describeTimes,
  },
  versions: {
    summary: "the API versions and how one is chosen",
    load: async () => (await import("./describe-topics.ts")).describeVersions,
  },
};
