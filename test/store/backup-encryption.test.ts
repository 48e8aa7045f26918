import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import {
  Encrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from "age-encryption";
import { beforeAll, describe, expect, it } from "vitest";
import { createEncrypter } from "../../src/store/backups/encryption.ts";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const place = (name: string) => join(folder, name);
const [data, sealed, plain] = [place("store.db"), place("sealed.gz.age"), place("plain.gz")];
const [key, otherKey, passphraseFile] = [place("key.txt"), place("other.txt"), place("passphrase.txt")];
let recipient: string;

async function run(...words: string[]) {
  const { code, stdout, stderr } = await runCommand([...words, "-o", "json"]);
  // Steps that take more than 5 s report their progress.
  const told = stderr.replace(/^(?:checking|copying|packing|unpacking) .*\n/gm, "");
  return { code, detail: told === "" ? "" : String(JSON.parse(told).detail), stdout };
}

const keep = (file: string, text: string, mode = 0o600) => writeFileSync(file, text, { mode });

const restore = (file: string, ...words: string[]) => run("restore", file, "--check", ...words);

beforeAll(async () => {
  const identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
  keep(key, `# created: now\n# public key: ${recipient}\n${identity}\n`);
  keep(otherKey, await generateX25519Identity());
  keep(passphraseFile, "correct horse battery staple\n");
  await run("init", "--data", data);
  expect((await run("backup", plain, "--data", data)).code).toBe(0);
  expect((await run("backup", sealed, "--data", data, "--recipient", recipient)).code).toBe(0);
});

describe("a backup for a recipient of age", () => {
  it("is restored with the recipient's key, and reveals nothing of the store", async () => {
    expect(readFileSync(sealed).includes("dispatch-cli backup")).toBe(false);
    const target = place("restored.db");
    expect((await run("restore", sealed, "--data", target, "--identity-file", key)).code).toBe(0);
    expect((await run("doctor", "--full", "--data", target)).code).toBe(0);
  });

  it("can be opened by the age command (skipped where that is not installed)", ({ skip }) => {
    const age = "age";
    try {
      execFileSync(age, ["--version"]);
    } catch {
      skip("age is not installed.");
    }
    const packed = execFileSync(age, ["--decrypt", "-i", key, sealed]);
    expect(gunzipSync(packed).subarray(0, 15).toString()).toBe("SQLite format 3");
    // This program also restores a file that age encrypted.
    const foreign = execFileSync(age, ["-r", recipient, plain]);
    writeFileSync(place("foreign.age"), foreign);
    return restore(place("foreign.age"), "--identity-file", key).then(({ code }) => expect(code).toBe(0));
  });

  it("can have several recipients, from a file too, and post-quantum ones", async () => {
    const later = await generateHybridIdentity();
    keep(place("later.txt"), later);
    keep(place("recipients.txt"), `# who may read\n${await identityToRecipient(later)}\n`, 0o644);
    const file = place("several.gz.age");
    const words = ["--recipient", recipient, "--recipients-file", place("recipients.txt")];
    expect((await run("backup", file, "--data", data, ...words)).code).toBe(0);
    for (const own of [key, place("later.txt")])
      expect((await restore(file, "--identity-file", own)).code).toBe(0);
  });

  it.each([
    ["without a key", () => [], /is encrypted for recipients of age.*--identity-file/],
    ["with a passphrase", () => ["--passphrase-file", passphraseFile], /--identity-file/],
    ["with another's key", () => ["--identity-file", otherKey], /None of the given identities opens/],
  ])("is refused %s, with the reason", async (_, words, reason) => {
    const { code, detail } = await restore(sealed, ...words());
    expect([code, detail]).toEqual([2, expect.stringMatching(reason)]);
  });

  const harm: [string, (bytes: Buffer) => Buffer][] = [
    ["cut off in its head", (bytes) => bytes.subarray(0, 90)],
    ["cut off behind its head", (bytes) => bytes.subarray(0, bytes.indexOf("\n--- ") + 60)],
    ["without its last byte", (bytes) => bytes.subarray(0, -1)],
    ["without a whole block of its end", (bytes) => bytes.subarray(0, -(bytes.length % 65_552))],
    ["with more behind its end", (bytes) => Buffer.concat([bytes, bytes.subarray(0, 70_000)])],
    ["altered in its head", (bytes) => flip(bytes, 60)],
    ["altered in its content", (bytes) => flip(bytes, bytes.length - 30)],
    ["with an endless head", () => Buffer.from(`age-encryption.org/v1\n-> X25519 ${"A".repeat(200_000)}`)],
  ];
  it.each(harm)("is refused %s, and the store stays unchanged", async (name, change) => {
    const file = place(`${name.replaceAll(" ", "-")}.age`);
    writeFileSync(file, change(readFileSync(sealed)));
    const before = readFileSync(data);
    const { code, detail } = await run("restore", file, "--data", data, "--identity-file", key, "--yes");
    expect([code, detail]).toEqual([2, expect.stringContaining(file)]);
    expect(readFileSync(data).equals(before)).toBe(true);
  });

  it("is refused with a key if it is not encrypted", async () => {
    const { code, detail } = await restore(plain, "--identity-file", key);
    expect([code, detail]).toEqual([2, expect.stringContaining("is not encrypted")]);
  });
});

describe("a backup with a passphrase", () => {
  it("makes guessing as expensive as age prescribes", async () => {
    const { encrypt } = await createEncrypter({ passphrase: "correct horse battery staple" });
    const chunks = [];
    for await (const chunk of encrypt(Readable.from([readFileSync(plain)]))) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString("latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 18\n/);
  });

  it("needs that passphrase to restore", async () => {
    // Use a small work factor, because a real one takes much memory.
    const encrypter = new Encrypter();
    encrypter.setScryptWorkFactor(8);
    encrypter.setPassphrase("correct horse battery staple");
    const file = place("cheap.gz.age");
    writeFileSync(file, await encrypter.encrypt(readFileSync(plain)));
    keep(place("wrong.txt"), "incorrect horse battery staple");
    expect((await restore(file, "--passphrase-file", passphraseFile)).code).toBe(0);
    expect(await restore(file, "--passphrase-file", place("wrong.txt"))).toMatchObject({
      code: 2,
      detail: expect.stringContaining("The passphrase is not the one"),
    });
    expect(await restore(file, "--identity-file", key)).toMatchObject({
      code: 2,
      detail: expect.stringContaining("with a passphrase: pass its file with --passphrase-file"),
    });
  });
});

it("explains every refused key without quoting a secret", async () => {
  keep(place("open.txt"), "correct horse battery staple", 0o644);
  keep(place("short.txt"), "horse");
  keep(place("lines.txt"), "two lines\nof words");
  keep(place("empty.txt"), "");
  keep(place("typo.txt"), "AGE-SECRET-KEY-1SECRETSECRET");
  const refused: [string[], RegExp][] = [
    [["--passphrase-file", place("open.txt")], /others can read it.*chmod 600/],
    [["--passphrase-file", place("short.txt")], /too short: 12 characters/],
    [["--passphrase-file", place("lines.txt")], /more than one line/],
    [["--passphrase-file", place("empty.txt")], /is empty/],
    [["--passphrase-file", place("nowhere.txt")], /no such file/],
    [["--passphrase-file", passphraseFile, "--recipient", recipient], /not both/],
    [["--recipient", "age1nobody"], /"age1nobody" is not used/],
    [["--recipient", "ssh-ed25519 AAAA"], /SSH keys are not supported/],
    [["--recipients-file", place("empty.txt")], /has no recipient/],
    [["--recipients-file", place("typo.txt")], /recipient 1 is not used: it is a secret key.*age-keygen -y/],
    [["--recipient", "SECRETSECRET"], /recipient 1 is not used: it is not a recipient/],
  ];
  for (const [words, reason] of refused) {
    const { code, detail } = await run("backup", place("never.gz"), "--data", data, ...words);
    expect([code, detail]).toEqual([2, expect.stringMatching(reason)]);
    expect(detail).not.toContain("SECRETSECRET");
  }
  const typo = await restore(sealed, "--identity-file", place("typo.txt"));
  expect([typo.code, typo.detail]).toEqual([2, expect.stringContaining("key 1 is not an identity of age")]);
  expect(typo.detail).not.toContain("SECRETSECRET");
});

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
