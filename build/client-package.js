// Packs dispatch-cli-client: the library of dist/ without the program, so that it needs no other package. Takes the
// folder for the tarball (default: the current one).
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
const folder = mkdtempSync(join(tmpdir(), "client-package-"));
try {
  for (const part of ["dist/library", "docs/webhooks.md", "LICENSE"])
    cpSync(part, join(folder, part), { recursive: true });
  cpSync("build/client-package.md", join(folder, "README.md"));
  // A link to a file that is not in the package becomes text.
  const guide = readFileSync("docs/library.md", "utf8");
  writeFileSync(
    join(folder, "docs/library.md"),
    guide.replace(/\[([^\]]+)\]\((?!webhooks\.md|https:)[^)]+\)/g, "$1"),
  );
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
