import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  openPrivately,
  reopenPrivately,
  writeNewPrivately,
  writePrivately,
} from "../../src/runtime/private-file.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

/** Creates a file that must not change, and a link to it under the name that the program writes. */
function laidLink(name: string): { link: string; victim: string } {
  const victim = join(folder, `${name}-victim`);
  writeFileSync(victim, "mine");
  const link = join(folder, `${name}-link`);
  symlinkSync(victim, link);
  return { link, victim };
}

describe("files that the program writes", () => {
  it("are readable by their owner only, even if they replace a file that others could read", () => {
    const file = join(folder, "list.pdf");
    writeFileSync(file, "old", { mode: 0o644 });
    writePrivately(file, "new");
    expect([modeOf(file), readFileSync(file, "utf8")]).toEqual(["600", "new"]);
    writeNewPrivately(join(folder, "other.pdf"), "new");
    expect(modeOf(join(folder, "other.pdf"))).toBe("600");
  });

  it("never follow a symbolic link", async () => {
    const replaced = laidLink("replaced");
    writePrivately(replaced.link, "new");
    expect(lstatSync(replaced.link).isSymbolicLink()).toBe(false);
    const begun = laidLink("begun");
    const handle = await openPrivately(begun.link);
    await handle.appendFile("new");
    await handle.close();
    expect(lstatSync(begun.link).isSymbolicLink()).toBe(false);
    const made = laidLink("made");
    expect(() => writeNewPrivately(made.link, "new")).toThrow("EEXIST");
    const appended = laidLink("appended");
    await expect(reopenPrivately(appended.link)).rejects.toThrow("ELOOP");
    for (const { victim } of [replaced, begun, made, appended])
      expect(readFileSync(victim, "utf8")).toBe("mine");
  });

  it("leave no draft behind if they cannot be written", () => {
    const within = join(folder, "taken");
    execFileSync("mkdir", ["-p", join(within, "list.pdf")]);
    expect(() => writePrivately(join(within, "list.pdf"), "new")).toThrow("EISDIR");
    expect(readdirSync(within)).toEqual(["list.pdf"]);
  });

  it("replace no device", () => {
    writePrivately("/dev/null", "gone");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});
