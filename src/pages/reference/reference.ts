import { followSearch } from "./search.ts";
import { followForm } from "./try-form.ts";

// The pages of the reference work without this script, except for their search, forms, and snippets.

/** The pages are below `/docs`. */
const serviceUrl = location.href.replace(/\/docs(?:[/?#].*)?$/, "");
const version = document.querySelector(".versions [aria-current]")?.textContent ?? "";

const form = document.querySelector<HTMLFormElement>("form.try");
if (form) followForm(form, { serviceUrl, version });

const search = document.querySelector<HTMLInputElement>("#find");
if (search) followSearch(search, `${serviceUrl}/docs/assets/index.json?version=${version}`);
