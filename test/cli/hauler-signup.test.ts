import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { startServer } from "../../src/http/serve.ts";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
const passwordFile = join(folder, "password.txt");
const ends: (() => Promise<void>)[] = [];

const signUp = (username: string, env: Record<string, string>, ...words: string[]) =>
  runCommand(
    [
      ..."haulers create --company-name Big --recaptcha none-here -o json --username".split(" "),
      username,
      ...words,
    ],
    { env, input: "Secret2\n" },
  );

async function serve(allowsHaulerSignup: boolean): Promise<string> {
  const service = openService({ data, allowsHaulerSignup });
  const options = { delivers: false, host: "127.0.0.1", port: 0, log: { write() {} }, logLevel: "silent" };
  const server = await startServer(service, options);
  ends.push(async () => {
    await server.close();
    await service.store.close();
  });
  return server.url;
}

beforeAll(async () => {
  await runCommand(["init", "--data", data]);
  writeFileSync(passwordFile, "Secret1\r\n");
});

afterAll(async () => {
  for (const end of ends) await end();
});

describe("haulers create", () => {
  it("works on a store; the password comes from a file or standard input", async () => {
    const fromFile = await signUp("a@one.example", { DISPATCH_DATA: data }, "--password-file", passwordFile);
    expect(fromFile).toMatchObject({ code: 0, stderr: "" });
    const piped = await signUp("b@one.example", { DISPATCH_DATA: data }, "--password-file", "-");
    expect(piped).toMatchObject({ code: 0, stderr: "" });
    expect(Object.keys(JSON.parse(piped.stdout))).toEqual(["id", "name"]);
  });

  it("works without a token on a server that allows sign-up", async () => {
    const DISPATCH_URL = await serve(true);
    const made = await signUp("c@one.example", { DISPATCH_URL }, "--password-file", passwordFile);
    expect(made).toMatchObject({ code: 0, stderr: "" });
  });

  it("is refused with exit code 4 by a server that does not allow sign-up", async () => {
    const DISPATCH_URL = await serve(false);
    const { code, stdout, stderr } = await signUp(
      "d@one.example",
      { DISPATCH_URL },
      "--password-file",
      passwordFile,
    );
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(JSON.parse(stderr).code).toBe("signup_disabled");
  });

  it("accepts no password as an option", async () => {
    const { code, stderr } = await signUp("e@one.example", { DISPATCH_DATA: data }, "--password", "Secret1");
    expect([code, JSON.parse(stderr).code]).toEqual([2, "usage"]);
  });
});
