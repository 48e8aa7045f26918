// Collects the packages in the build, and their licenses, which must accompany every copy.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class ThirdParty {
  /** The folders of packages, by file of the build. */
  #files = {};

  /** A plugin for a bundle whose files go to `within`, a folder of the build. */
  watch(within = "") {
    return {
      name: "third-party",
      generateBundle: (_options, bundle) => {
        for (const { fileName, modules = {} } of Object.values(bundle))
          this.#files[join(within, fileName)] = [
            ...new Set(Object.keys(modules).flatMap(folderOf)),
          ].toSorted();
      },
    };
  }

  /** Writes THIRD-PARTY.txt, which is published, and packages.json, which tells tests the packages of each file. */
  write(folder) {
    const folders = new Set(Object.values(this.#files).flat());
    const packages = new Map([...folders].map((path) => [path, readPackage(path)]));
    const files = Object.entries(this.#files).map(([file, folders]) => [
      file,
      { bundled: [...new Set(folders.map((path) => packages.get(path).name))] },
    ]);
    writeFileSync(join(folder, "packages.json"), JSON.stringify(Object.fromEntries(files), null, 1));
    writeFileSync(join(folder, "THIRD-PARTY.txt"), toNotice([...packages.values()]));
  }
}

/** Returns the folder of a module's package, the innermost one for nested packages. */
function folderOf(id) {
  const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(
    id.replace(/^\0(?:[\w-]+:)?/, ""),
  );
  return found ? [found[1]] : [];
}

function readPackage(path) {
  const { author, license, name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`${path}: package.json names no licence.`);
  const files = readdirSync(path).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(path, file), "utf8").trim());
  const by = typeof author === "string" ? author : author?.name;
  // For the few packages without a license text, use the license's name and the author.
  const text = texts.length > 0 ? texts.join("\n\n") : `${license}${by ? `, ${by}` : ""}`;
  return { name, text, title: `${name} ${version} (${license})` };
}

function toNotice(packages) {
  const texts = new Map(packages.map(({ text, title }) => [title, text]));
  const parts = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((part) => part.join("\n\n"));
  const head = "dispatch-cli contains code of these packages, each under its own licence.";
  return `${[head, ...parts].join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}
