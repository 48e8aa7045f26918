import { type Call, toClientCode, toCommand, toCurl } from "../copies.ts";

// The pages of the reference work without this script, except for their search, forms, and snippets.

/** The pages are below `/docs`. */
const serviceUrl = location.href.replace(/\/docs(?:[/?#].*)?$/, "");
const version = document.querySelector(".versions [aria-current]")?.textContent ?? "";

function followForm(form: HTMLFormElement): void {
  for (const name of ["token", "tenant"]) {
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement)) continue;
    // Kept in this tab. The token goes only to this server.
    field.value = sessionStorage.getItem(`dispatch-docs-${name}`) ?? "";
    field.addEventListener("change", () =>
      sessionStorage.setItem(`dispatch-docs-${name}`, field.value.trim()),
    );
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form).catch((error: unknown) => show(form, `Cannot reach the server: ${error}`, ""));
  });
  const fill = () => fillSnippets(readCall(form), form.dataset.path ?? "");
  form.addEventListener("input", fill);
  fill();
}

const textOf = (form: HTMLFormElement, name: string): string =>
  form.querySelector<HTMLInputElement>(`[name="${name}"]:not([data-in])`)?.value.trim() ?? "";

function readCall(form: HTMLFormElement): Call {
  const { method = "GET", operation = "", path = "" } = form.dataset;
  const fields = [...form.querySelectorAll<HTMLInputElement>("[data-in]")].filter(
    ({ value }) => value.trim() !== "",
  );
  const valuesIn = (place: string): [string, string][] =>
    fields.filter(({ dataset }) => dataset.in === place).map(({ name, value }) => [name, value.trim()]);
  const filled = valuesIn("path").reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  return {
    operation,
    method,
    path: filled,
    query: String(new URLSearchParams(valuesIn("query"))),
    body: form.querySelector("[name=body]") ? textOf(form, "body") : null,
    version,
    tenantId: Number(textOf(form, "tenant")) || 1,
    isDryRun: form.querySelector<HTMLInputElement>("[name=dry-run]")?.checked ?? false,
    ifMatch: null,
  };
}

function fillSnippets(call: Call, template: string): void {
  const texts = {
    curl: toCurl(serviceUrl, call),
    command: toCommand(serviceUrl, call),
    client: toClientCode(serviceUrl, call, template),
  };
  for (const [name, text] of Object.entries(texts)) {
    const snippet = document.querySelector(`[data-snippet="${name}"]`);
    if (snippet) snippet.textContent = text;
  }
  document.querySelector(".snippets")?.removeAttribute("hidden");
}

async function send(form: HTMLFormElement): Promise<void> {
  const { body, isDryRun, method, path, query } = readCall(form);
  const [token, tenant] = [textOf(form, "token"), textOf(form, "tenant")];
  show(form, "Waiting for the response …", "");
  const answer = await fetch(`${serviceUrl}${path}${query === "" ? "" : `?${query}`}`, {
    method,
    headers: {
      "x-api-version": version,
      ...(token !== "" && { authorization: `Bearer ${token.replace(/^bearer\s+/i, "")}` }),
      ...(tenant !== "" && { "x-tenant-id": tenant }),
      ...(isDryRun && { "x-dry-run": "true" }),
      ...(body !== null && { "content-type": "application/json" }),
    },
    ...(body !== null && { body }),
  });
  const type = answer.headers.get("content-type") ?? "";
  const text = type.includes("json")
    ? await answer.text()
    : `${(await answer.arrayBuffer()).byteLength} bytes of ${type}`;
  show(
    form,
    `${answer.status} ${answer.statusText}, request ${answer.headers.get("x-request-id")}`,
    toReadable(text),
  );
}

function toReadable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(form: HTMLFormElement, status: string, text: string): void {
  const put = (selector: string, shown: string) => {
    const part = form.querySelector(selector);
    if (part) part.textContent = shown;
  };
  form.querySelector(".answer")?.removeAttribute("hidden");
  put(".answer .status", status);
  put(".answer code", text);
}

type Entry = readonly [name: string, link: string, text: string];

const foundMax = 20;

/** Reads the index with the first letter. `/` leads to the field. */
function followSearch(field: HTMLInputElement): void {
  const list = field.parentElement?.querySelector("ul");
  const status = field.parentElement?.querySelector<HTMLElement>("[role=status]");
  if (!list || !status) return;
  let reading: Promise<readonly Entry[]> | undefined;
  const find = async () => {
    reading ??= fetch(`${serviceUrl}/docs/assets/index.json?version=${version}`).then((answer) =>
      answer.json(),
    );
    const entries = await reading;
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : rank(entries, words);
    list.replaceChildren(...found.slice(0, foundMax).map(toItem));
    status.hidden = words.length === 0;
    status.textContent = `${found.length} found${found.length > foundMax ? `, the first ${foundMax} are shown` : ""}`;
  };
  field.addEventListener("input", () => {
    find().catch(() => {
      reading = undefined;
    });
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (event.key !== "/" || isTyping) return;
    event.preventDefault();
    field.focus();
  });
}

/** Pages with all words, those with the words in their names first. */
function rank(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const hasWords = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const named = entries.filter(([name]) => hasWords(name));
  const others = entries.filter((entry) => !named.includes(entry) && hasWords(`${entry[0]} ${entry[2]}`));
  return [...named, ...others];
}

function toItem([name, link, text]: Entry): HTMLElement {
  const item = document.createElement("li");
  const anchor = document.createElement("a");
  anchor.href = link;
  anchor.textContent = name;
  const about = document.createElement("span");
  about.textContent = text.length > 80 ? `${text.slice(0, 80)} …` : text;
  item.append(anchor, about);
  return item;
}

const form = document.querySelector<HTMLFormElement>("form.try");
if (form) followForm(form);

const search = document.querySelector<HTMLInputElement>("#find");
if (search) followSearch(search);
