import library from "../../../docs/library.md?raw";
import mcp from "../../../docs/mcp.md?raw";
import webhooks from "../../../docs/webhooks.md?raw";
import { type JobAction, jobActions, jobLife } from "../../models/job-life.ts";
import { jobReports, jobStates, jobStateTable } from "../../models/job-state.ts";

interface GuideText {
  title: string;
  about: string;
  /** Markdown. */
  text: string;
}

/** The guides that are the same for every version, as pages of /docs and as resources of MCP. */
export const guideTexts = {
  states: {
    title: "States of a job",
    about:
      "From unassigned to completed: what sets a state, which role acts next, and what the state refuses.",
    text: writeStates(),
  },
  webhooks: {
    title: "Receiving webhooks",
    about: "Build a receiver: bodies, signatures, the pauses between retries, replays, and tests.",
    text: webhooks,
  },
  library: {
    title: "The library",
    about: "Call the service, receive its webhooks, and test, in JavaScript and TypeScript.",
    text: library,
  },
  mcp: { title: "Agents (MCP)", about: "Connect a client of the Model Context Protocol.", text: mcp },
} satisfies Record<string, GuideText>;

export type GuideName = keyof typeof guideTexts;

export const isGuideName = (name: string): name is GuideName => Object.hasOwn(guideTexts, name);

/** Documents link to each other by file. Only guides have an address here. */
export function writeGuide(name: GuideName, toAddress: (name: GuideName) => string): string {
  const { text } = guideTexts[name];
  return text.replace(/\[([^\]]+)\]\((?!https?:|#)([^)]*)\)/g, (_, words: string, to: string) => {
    const [file = "", anchor] = to.split("#");
    const other = file.replace(/\.md$/, "");
    if (!isGuideName(other)) return words;
    return `[${words}](${toAddress(other)}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}

function writeStates(): string {
  const marks: Readonly<Record<string, string>> = {
    unassigned: "no `truck_id`",
    dispatched: "a `truck_id`",
    "in progress": `one of ${jobReports.map((name) => `\`${name}\``).join(" ")}`,
  };
  const states = jobStates.map((state) => {
    const { mark, turn } = jobStateTable[state];
    return `| ${state} | ${typeof mark === "string" ? `\`${mark}\` is true` : (marks[state] ?? "")} | ${turn} |`;
  });
  const changes = (Object.keys(jobLife) as JobAction[]).map((action) => {
    const refusedIn: readonly string[] = jobLife[action];
    return `| ${action} | ${jobActions[action].by} | ${refusedIn.join(", ") || "–"} |`;
  });
  return [
    "# States of a job",
    "A job has every state whose mark it has. The last one of them in this table is the state that boards and lists show.",
    ["| State | Mark | Who acts next |", "|---|---|---|", ...states].join("\n"),
    "## Changes",
    "The answer to a refused change is 409 `state_conflict`. It says what to do first.",
    ["| Change | Requested by | Refused for a job that is |", "|---|---|---|", ...changes].join("\n"),
  ].join("\n\n");
}
