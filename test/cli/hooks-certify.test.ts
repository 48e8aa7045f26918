import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import {
  type Delivery,
  startReceiver,
  toSignature,
  toStandardSignature,
  unusedUrl,
} from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const secretFile = join(useTempFolder(), "secret.txt");
writeFileSync(secretFile, secret);

async function certify(url: string) {
  const words = ["hooks", "certify", url, "--secret-file", secretFile, "-o", "json"];
  const { code, stdout } = await runCommand(words);
  const { rules } = JSON.parse(stdout) as { rules: { rule: string; holds: boolean }[] };
  return { code, broken: rules.filter(({ holds }) => !holds).map(({ rule }) => rule), count: rules.length };
}

const isServiceSigned = ({ headers, body }: Delivery) =>
  headers["x-service-signature"] === toSignature(secret, body);

function isStandardSigned({ headers, body }: Delivery): boolean {
  const timestamp = String(headers["webhook-timestamp"]);
  const isFresh = Math.abs(performance.timeOrigin + performance.now() - Number(timestamp) * 1000) < 300_000;
  const expected = toStandardSignature(secret, String(headers["webhook-id"]), timestamp, body);
  return isFresh && headers["webhook-signature"] === expected;
}

const receiverThat = (takes: (delivery: Delivery, ids: Set<string>) => number) => {
  const ids = new Set<string>();
  return startReceiver((response, _, delivery) => response.writeHead(takes(delivery, ids)).end());
};

describe("hooks certify", () => {
  it.each([
    ["x-service-signature", isServiceSigned],
    ["Standard Webhooks", isStandardSigned],
  ])("finds nothing wrong with a receiver that verifies %s", async (_, isSigned) => {
    const { url } = await receiverThat((delivery) => (isSigned(delivery) ? 204 : 401));
    expect(await certify(url)).toEqual({ code: 0, broken: [], count: 8 });
  });

  it("finds that a receiver verifies nothing", async () => {
    const { url } = await startReceiver(200);
    expect(await certify(url)).toMatchObject({
      code: 9,
      broken: [
        "refuses bad signatures",
        "refuses a body that was changed",
        "refuses a delivery without signatures",
        "refuses a timestamp of an hour ago",
      ],
    });
  });

  it("finds that a receiver fails when a delivery comes twice", async () => {
    const { url } = await receiverThat((delivery, ids) => {
      if (!isServiceSigned(delivery)) return 401;
      const id = String(delivery.headers["webhook-id"]);
      const isKnown = ids.has(id);
      ids.add(id);
      return isKnown ? 409 : 200;
    });
    expect((await certify(url)).broken).toEqual(["takes a delivery that comes twice"]);
  });

  it("finds all rules broken where nobody listens", async () => {
    expect(await certify(await unusedUrl())).toMatchObject({ code: 9, broken: { length: 8 } });
  });

  it("refuses an address that is none with exit code 2", async () => {
    const { code } = await runCommand(["hooks", "certify", "localhost", "--secret-file", secretFile]);
    expect(code).toBe(2);
  });
});
