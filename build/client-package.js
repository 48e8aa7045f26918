// Packs dispatch-cli-client: the library of dist/ without the program, so that it needs no other package. Takes the
// folder for the tarball (default: the current one).
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [, , target = "."] = process.argv;
const {
  author,
  engines,
  exports,
  license,
  main,
  repository,
  sideEffects,
  type,
  types,
  typesVersions,
  version,
} = JSON.parse(readFileSync("package.json", "utf8"));
const texts = ["docs/interface.md", "docs/library.md", "docs/webhooks.md", "examples"];
const folder = mkdtempSync(join(tmpdir(), "client-package-"));
try {
  for (const part of ["dist/library", ...texts, "LICENSE"])
    cpSync(part, join(folder, part), { recursive: true });
  cpSync("build/client-package.md", join(folder, "README.md"));
  for (const text of texts) nameClient(join(folder, text));
  const facts = {
    name: "dispatch-cli-client",
    version,
    description: "The client of a dispatch service, and verifyWebhook, without the service itself.",
    ...{ author, engines, exports, license, main, repository, sideEffects, type, types, typesVersions },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(facts, null, 2)}\n`);
  const argv = ["pack", "--silent", "--pack-destination", resolve(target)];
  process.stdout.write(execFileSync("npm", argv, { cwd: folder, encoding: "utf8" }));
} finally {
  rmSync(folder, { recursive: true });
}

/** In documents and examples, imports name this package, and a link to a file that it lacks becomes text. */
function nameClient(path) {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) nameClient(join(path, name));
    return;
  }
  const text = readFileSync(path, "utf8")
    .replace(/"dispatch-cli(?=")|`dispatch-cli(?=\/client`)|\/dispatch-cli(?=-[\d.]+tgz)/g, "$&-client")
    .replace(/\[([^\]]+)\]\((?!https?:|#)([^)#]+)[^)]*\)/g, (link, name, to) =>
      existsSync(join(path, "..", to)) ? link : name,
    );
  writeFileSync(path, text);
}
