import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { failure } from "../errors/errors.ts";
import type { HttpAnswer } from "./http-messages.ts";

const pageNames = ["board", "inspect", "start"] as const;

/** The build puts the pages next to the program. From source, the server uses the last build's pages. */
const folder = new URL(import.meta.url.endsWith(".ts") ? "../../dist/pages/" : "pages/", import.meta.url);

/** The pages by path, and their files below `/pages`. `toLasting` makes a response valid while the process runs. */
export function createBrowserPages(
  base: string,
  toLasting: (answer: HttpAnswer) => HttpAnswer,
): ReadonlyMap<string, (path: string) => Promise<HttpAnswer>> {
  let reading: Promise<ReadonlyMap<string, HttpAnswer>> | null = null;
  const answer = async (path: string) => {
    reading ??= readAnswers(base, toLasting);
    // The next request tries again.
    reading.catch(() => {
      reading = null;
    });
    const found = (await reading).get(path.replace(/\/$/, ""));
    if (found) return found;
    throw failure("operation_not_found", `There is no file at ${path}.`);
  };
  return new Map([...pageNames.map((name) => `/${name}`), "/pages/*"].map((path) => [path, answer]));
}

/** Reads a file that the build wrote next to the pages. */
export const readBuilt = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(name, folder)), "utf8");

async function readAnswers(base: string, toLasting: (answer: HttpAnswer) => HttpAnswer) {
  const pages = pageNames.map(async (name): Promise<[string, HttpAnswer]> => {
    const text = await readBuilt(`${name}.html`);
    return [`/${name}`, toLasting(toPage(text.replaceAll("{base}", base)))];
  });
  const names = await readdir(fileURLToPath(new URL("files", folder)));
  const files = names.map(async (name): Promise<[string, HttpAnswer]> => {
    const text = await readBuilt(`files/${name}`);
    return [`/pages/${name}`, toLasting(toFile(name, text))];
  });
  return new Map(await Promise.all([...pages, ...files]));
}

/** The pages use no other origin and no inline code, and refuse frames. */
export const pagePolicy = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src"].map((kind) => `${kind} 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((kind) => `${kind} 'none'`),
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const toPage = (body: string): HttpAnswer => ({
  status: 200,
  headers: {
    "cache-control": "no-cache",
    "content-security-policy": pagePolicy,
    "content-type": "text/html; charset=utf-8",
    "referrer-policy": "no-referrer",
  },
  body,
});

/** The name of a file contains a hash of its content. */
const toFile = (name: string, body: string): HttpAnswer => ({
  status: 200,
  headers: {
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
  },
  body,
});
