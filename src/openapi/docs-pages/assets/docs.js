// Sends the form of an operation. The token stays in this tab and goes only to this server.
const form = document.querySelector("form.try");
const kept = ["token", "tenant"];

if (form) {
  for (const name of kept) {
    const field = form.elements.namedItem(name);
    if (!field) continue;
    field.value = sessionStorage.getItem(`dispatch-docs-${name}`) ?? "";
    field.addEventListener("change", () =>
      sessionStorage.setItem(`dispatch-docs-${name}`, field.value.trim()),
    );
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form).catch((error) => show(form, `Cannot reach the server: ${error.message}`, ""));
  });
}

async function send(form) {
  const { method, path } = form.dataset;
  const textOf = (name) => form.elements.namedItem(name)?.value?.trim() ?? "";
  const inputs = [...form.querySelectorAll("input[data-in]")];
  const valueIn = (place) => inputs.filter((input) => input.dataset.in === place);
  let target = path;
  for (const { name, value } of valueIn("path"))
    target = target.replace(`{${name}}`, encodeURIComponent(value.trim()));
  const query = new URLSearchParams();
  for (const { name, value } of valueIn("query")) if (value.trim() !== "") query.set(name, value.trim());
  const headers = { "x-api-version": versionShown() };
  if (textOf("token") !== "") headers.authorization = `Bearer ${textOf("token").replace(/^bearer\s+/i, "")}`;
  if (textOf("tenant") !== "") headers["x-tenant-id"] = textOf("tenant");
  if (form.elements.namedItem("dry-run")?.checked) headers["x-dry-run"] = "true";
  const body = form.elements.namedItem("body");
  if (body) headers["content-type"] = "application/json";
  const search = query.size > 0 ? `?${query}` : "";
  show(form, "Waiting for the response …", "");
  const answer = await fetch(base() + target + search, {
    method,
    headers,
    ...(body && { body: body.value }),
  });
  const type = answer.headers.get("content-type") ?? "";
  const text = type.includes("json")
    ? await answer.text()
    : `${(await answer.arrayBuffer()).byteLength} bytes of ${type}`;
  const id = answer.headers.get("x-request-id");
  show(form, `${answer.status} ${answer.statusText}, request ${id}`, toReadable(text));
}

/** The service's base path: the pages are below `/docs`. */
const base = () => location.pathname.replace(/\/docs(?:\/.*)?$/, "");

const versionShown = () => document.querySelector(".versions [aria-current]").textContent;

function toReadable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(form, status, text) {
  const answer = form.querySelector(".answer");
  answer.hidden = false;
  answer.querySelector(".status").textContent = status;
  answer.querySelector("code").textContent = text;
}
