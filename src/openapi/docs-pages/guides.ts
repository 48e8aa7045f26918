import library from "../../../docs/library.md?raw";
import mcp from "../../../docs/mcp.md?raw";
import receivers from "../../../docs/webhooks.md?raw";
import { type JobAction, jobActions, jobLife } from "../../models/job-life.ts";
import { jobRights } from "../../models/job-rights.ts";
import { jobReports, jobStates, jobStateTable } from "../../models/job-state.ts";
import { roles } from "../../models/user.ts";
import { fromMarkdown, type Html, html, showTable } from "./html.ts";
import { type Docs, type DocsPage, linkTo } from "./layout.ts";
import { entriesOf } from "./overview-page.ts";

interface Guide {
  title: string;
  path: string;
  text: string;
  /** null for a page of its own section. */
  show: ((docs: Docs) => Html) | null;
}

export const guides: readonly Guide[] = [
  {
    title: "Requests and responses",
    path: "/conventions",
    text: "The rules of every request: tokens, tenants, times, pages of lists, idempotency, and limits.",
    show: null,
  },
  {
    title: "Versions",
    path: "/changes",
    text: "What each version changed, with examples from before and after.",
    show: null,
  },
  {
    title: "States of a job",
    path: "/guides/states",
    text: "From unassigned to completed: what sets a state, which role acts next, and what the state refuses.",
    show: showStates,
  },
  {
    title: "Who may do what",
    path: "/guides/roles",
    text: "The roles that may call each operation, and the fields of a job that each role may change.",
    show: showRoles,
  },
  {
    title: "Errors",
    path: "/errors",
    text: "Every code with its cause and what to do.",
    show: null,
  },
  {
    title: "Receiving webhooks",
    path: "/guides/webhooks",
    text: "Build a receiver: bodies, signatures, the pauses between retries, replays, and tests.",
    show: (docs) => fromDocument(docs, receivers),
  },
  {
    title: "Events of webhooks",
    path: "/webhooks",
    text: "The body and the headers of each event.",
    show: null,
  },
  {
    title: "The library",
    path: "/guides/library",
    text: "Call the service, receive its webhooks, and test, in JavaScript and TypeScript.",
    show: (docs) => fromDocument(docs, library),
  },
  {
    title: "Agents (MCP)",
    path: "/guides/mcp",
    text: "Connect a client of the Model Context Protocol.",
    show: (docs) => fromDocument(docs, mcp),
  },
];

export function guidesPage(docs: Docs): DocsPage {
  const main = html`<h1>Guides</h1>
<dl>${guides.map(({ path, text, title }) => html`<dt><a href="${linkTo(docs, path)}">${title}</a></dt><dd>${text}</dd>`)}</dl>`;
  return { title: "Guides", main };
}

export function guidePage(docs: Docs, name: string): DocsPage | null {
  const guide = guides.find(({ path, show }) => show !== null && path === `/guides/${name}`);
  return guide?.show ? { title: guide.title, main: guide.show(docs) } : null;
}

/** Documents link to each other by file. Only guides have a page here. */
function fromDocument(docs: Docs, text: string): Html {
  const linked = text.replace(/\[([^\]]+)\]\((?!https?:|#)([^)]*)\)/g, (_, words: string, to: string) => {
    const [file = "", anchor] = to.split("#");
    const path = `/guides/${file.replace(/\.md$/, "")}`;
    if (!guides.some((guide) => guide.path === path)) return words;
    return `[${words}](${linkTo(docs, anchor === undefined ? path : `${path}#${anchor}`)})`;
  });
  return fromMarkdown(linked);
}

const actions = Object.keys(jobLife) as JobAction[];

const otherMarks: Readonly<Record<string, Html>> = {
  unassigned: html`no <code>truck_id</code>`,
  dispatched: html`a <code>truck_id</code>`,
  "in progress": html`one of ${jobReports.map((name) => html`<code>${name}</code> `)}`,
};

function showStates(): Html {
  const refusedIn = (action: JobAction): readonly string[] => jobLife[action];
  return html`<h1>States of a job</h1>
<p>A job has every state whose mark it has. The last one of them in this table is the state that boards and lists show.</p>
${showTable(
  "States",
  ["State", "Mark", "Who acts next"],
  jobStates.map((state) => {
    const { mark, turn } = jobStateTable[state];
    return [
      state,
      typeof mark === "string" ? html`<code>${mark}</code> is true` : (otherMarks[state] ?? ""),
      turn,
    ];
  }),
)}
<h2 id="changes">Changes between states</h2>
<p>The answer to a refused change is 409 <code>state_conflict</code>. It says what to do first.</p>
${showTable(
  "Changes",
  ["Change", "Requested by", "Refused for a job that is"],
  actions.map((action) => [action, jobActions[action].by, refusedIn(action).join(", ") || "–"]),
)}`;
}

function showRoles(docs: Docs): Html {
  const say = (allowed: readonly string[], isOpen: boolean) => {
    if (isOpen) return "anyone, without a token";
    return allowed.length === roles.length ? "every role" : allowed.join(", ");
  };
  return html`<h1>Who may do what</h1>
<p>A user has one or more roles, and a token has some or all of the roles of its user. A call needs one of the roles below. A user of
some locations only sees and changes records of these locations.</p>
<h2 id="operations">Operations</h2>
${showTable(
  "Roles of the operations",
  ["Operation", "Roles"],
  entriesOf(docs).map(({ entry }) => [
    html`<a href="${linkTo(docs, `/operations/${entry.operationId}`)}">${entry.operationId}</a>`,
    say(entry["x-roles"], entry.security !== undefined),
  ]),
)}
<h2 id="fields">Fields of a job</h2>
<p>The fields that <code>jobs.update</code> accepts from each role.</p>
${showTable(
  "Fields of a job by role",
  ["Role", "Fields"],
  roles.map((role) => [
    role,
    jobRights[role].includes("*")
      ? "all"
      : html`${jobRights[role].map((name) => html`<code>${name}</code> `)}`,
  ]),
)}`;
}
