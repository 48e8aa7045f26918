import { jobRights } from "../../models/job-rights.ts";
import { roles } from "../../models/user.ts";
import { type GuideName, guideTexts, writeGuide } from "./guide-texts.ts";
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
  fromText("states"),
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
  fromText("webhooks"),
  {
    title: "Events of webhooks",
    path: "/webhooks",
    text: "The body and the headers of each event.",
    show: null,
  },
  fromText("library"),
  fromText("mcp"),
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

function fromText(name: GuideName): Guide {
  const { about, title } = guideTexts[name];
  const show = (docs: Docs) => fromMarkdown(writeGuide(name, (other) => linkTo(docs, `/guides/${other}`)));
  return { title, path: `/guides/${name}`, text: about, show };
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
