import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FileIdentity } from "../../src/store/sqlite/file-identity.ts";

describe("a file whose place cannot be looked at any more", () => {
  it("is lost, and is back when it is there again", () => {
    const parent = mkdtempSync(join(tmpdir(), "identity-"));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    const folder = join(parent, "folder");
    const away = mkdtempSync(`${folder}-`);
    writeFileSync(join(away, "store.db"), "");
    renameSync(away, folder);
    const identity = new FileIdentity(join(folder, "store.db"));
    identity.requireNow();
    renameSync(folder, away);
    symlinkSync(folder, folder);
    expect(() => identity.requireNow()).toThrow("The file of the store was put out of reach");
    rmSync(folder);
    renameSync(away, folder);
    identity.requireNow();
  });
});
