import type { JsonSchema } from "../../models/fields.ts";
import { type Call, toClientCode, toCommand, toCurl } from "../copies.ts";
import { loadCredentials } from "../session/credentials.ts";
import { type OperationCommand, toOperationCommand } from "./operation-command.ts";
import { isObject, type Place, toFields } from "./try-fields.ts";

/** What the page says about its operation. */
interface TryForm {
  operation: string;
  method: string;
  path: string;
  schemas: { path: JsonSchema; query: JsonSchema; body: JsonSchema | null };
  /** null for an operation without a command. */
  command: OperationCommand | null;
}

export interface Site {
  serviceUrl: string;
  version: string;
}

export function followForm(form: HTMLFormElement, site: Site): void {
  const about = JSON.parse(form.dataset.about ?? "") as TryForm;
  const body = form.querySelector<HTMLTextAreaElement>("[name=body]");
  const values = { path: {}, query: {} };
  const read = () => readCall(form, about, values, site.version);
  const fill = () => fillSnippets(read(), about, values, site.serviceUrl);
  for (const part of ["path", "query"] as const) {
    const place = {
      read: () => values[part],
      write: (value: unknown) => Object.assign(values, { [part]: value }),
    };
    form.querySelector(".parameters")?.append(...toFields(about.schemas[part], place));
  }
  if (body && about.schemas.body) followBody(form, body, about.schemas.body);
  keepInTab(form);
  form.addEventListener("input", fill);
  form.addEventListener("click", fill);
  // A browser shows no message about a folded input.
  const unfold = ({ target }: Event) =>
    target instanceof Element && target.closest("details")?.setAttribute("open", "");
  form.addEventListener("invalid", unfold, true);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, read(), site).catch((error: unknown) => show(form, `Cannot reach the server: ${error}`, ""));
  });
  fill();
}

/** The text is the state: the fields read it and write it. */
function followBody(form: HTMLFormElement, text: HTMLTextAreaElement, schema: JsonSchema): void {
  const fields = form.querySelector<HTMLFieldSetElement>(".fields");
  const raw = form.querySelector<HTMLInputElement>("[name=raw]");
  if (!fields || !raw) return;
  const place: Place = {
    read: () => parse(text.value),
    write: (value) => {
      text.value = JSON.stringify(value, null, 2);
    },
  };
  const turn = () => {
    // A hidden input must not keep the form from being sent.
    fields.hidden = fields.disabled = raw.checked;
    if (text.parentElement) text.parentElement.hidden = !raw.checked;
    fields.replaceChildren(...toFields(schema, place));
  };
  text.addEventListener("input", () => {
    raw.disabled = !isObject(parse(text.value));
    text.setCustomValidity(raw.disabled ? "Write a JSON object." : "");
  });
  raw.addEventListener("change", turn);
  turn();
}

/** The token goes only to this server. At first it is the one of the board or the inspector in this tab. */
function keepInTab(form: HTMLFormElement): void {
  const { tenantId = null, token = "" } = loadCredentials() ?? {};
  const usual: Readonly<Record<string, string>> = { tenant: String(tenantId ?? ""), token };
  for (const name of ["token", "tenant"]) {
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement)) continue;
    field.value = sessionStorage.getItem(`dispatch-docs-${name}`) ?? usual[name] ?? "";
    field.addEventListener("change", () =>
      sessionStorage.setItem(`dispatch-docs-${name}`, field.value.trim()),
    );
  }
}

type Values = Record<"path" | "query", Record<string, unknown>>;

const textOf = (form: HTMLFormElement, name: string): string =>
  form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value.trim() ?? "";

function readCall(
  form: HTMLFormElement,
  { method, operation, path }: TryForm,
  values: Values,
  version: string,
): Call {
  const filled = Object.entries(values.path).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
  return {
    operation,
    method,
    path: filled,
    query: String(
      new URLSearchParams(Object.entries(values.query).map(([name, value]) => [name, String(value)])),
    ),
    body: form.querySelector("[name=body]") ? textOf(form, "body") : null,
    version,
    tenantId: Number(textOf(form, "tenant")) || 1,
    isDryRun: form.querySelector<HTMLInputElement>("[name=dry-run]")?.checked ?? false,
    ifMatch: null,
  };
}

function fillSnippets(call: Call, { command, path }: TryForm, values: Values, serviceUrl: string): void {
  const body = call.body === null ? {} : parse(call.body);
  const texts = {
    curl: toCurl(serviceUrl, call),
    command:
      command && isObject(body)
        ? toOperationCommand(serviceUrl, call, command, { params: values.path, query: values.query, body })
        : toCommand(serviceUrl, call),
    client: toClientCode(serviceUrl, call, path, values.query),
  };
  for (const [name, text] of Object.entries(texts)) {
    const snippet = document.querySelector(`[data-snippet="${name}"]`);
    if (snippet) snippet.textContent = text;
  }
  document.querySelector(".snippets")?.removeAttribute("hidden");
}

async function send(
  form: HTMLFormElement,
  { body, isDryRun, method, path, query }: Call,
  site: Site,
): Promise<void> {
  const [token, tenant] = [textOf(form, "token"), textOf(form, "tenant")];
  show(form, "Waiting for the response …", "");
  const answer = await fetch(`${site.serviceUrl}${path}${query === "" ? "" : `?${query}`}`, {
    method,
    headers: {
      "x-api-version": site.version,
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
  const value = parse(text);
  show(
    form,
    `${answer.status} ${answer.statusText}, request ${answer.headers.get("x-request-id")}`,
    value === undefined ? text : JSON.stringify(value, null, 2),
  );
}

/** undefined for invalid JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
