import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookEvents } from "../../src/models/event-kinds.ts";
import { runCommand } from "../support/command-line.ts";
import { toSignature, toStandardSignature } from "../support/receiver.ts";
import { toWords } from "../support/shell-words.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const secretFile = write("secret.txt", `whsec_${secret}\n`);

async function sign(body: string, ...options: string[]) {
  const files = ["--secret-file", secretFile, "--body", write("body.json", body)];
  return runCommand(["hooks", "sign", ...files, ...options]);
}

describe("hooks sign", () => {
  it("prints the headers of a delivery of the body, as an object", async () => {
    const body = '{"api_version":"2021/04/07","id":"e1","tenant_id":7,"type":"Job"}';
    const { code, stdout } = await sign(body, "--timestamp", "1700000000", "-o", "json");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        "content-type": "application/json",
        "webhook-id": "e1",
        "webhook-signature": toStandardSignature(secret, "e1", "1700000000", body),
        "webhook-timestamp": "1700000000",
        "x-api-version": "2021/04/07",
        "x-service-event": "Job",
        "x-service-signature": toSignature(secret, body),
        "x-tenant-id": "7",
      },
    ]);
  });

  it("prints lines that hooks verify accepts, also for a body that is not a delivery", async () => {
    const { stdout } = await sign("not JSON", "--id", "mine");
    expect(stdout).toMatch(/^webhook-id: mine$/m);
    const files = ["--secret-file", secretFile, "--body", join(folder, "body.json")];
    const verified = await runCommand([
      "hooks",
      "verify",
      ...files,
      "--headers",
      write("headers.txt", stdout),
    ]);
    expect(verified.code).toBe(0);
  });

  it("does not let a body add headers", async () => {
    const { stdout } = await sign('{"id":"a\\r\\nx-evil: 1","type":"Job\\nx: 1"}');
    expect(stdout).not.toMatch(/^x(-evil)?:/m);
  });

  it.each([
    ["--timestamp", "soon"],
    ["--id", "two words"],
  ])("refuses %s %s with exit code 2", async (...words) => {
    expect((await sign("{}", ...words)).code).toBe(2);
  });
});

describe("events kinds", () => {
  it("lists every kind with its actions and an example body in a version", async () => {
    const { code, stdout } = await runCommand(toWords("events kinds -o json --api-version 2019/02/08"));
    const { kinds } = JSON.parse(stdout);
    expect([code, kinds.map(({ type }: { type: string }) => type)]).toEqual([0, hookEvents]);
    const job = kinds.find(({ type }: { type: string }) => type === "Job");
    expect(job.actions).toContainEqual({
      action: "completed",
      happens: "A job was completed.",
      subscription: "Job:completed",
    });
    expect(job.example).toMatchObject({ type: "Job", data: { created_by_id: expect.any(Number) } });
  });
});
