import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { newestVersion } from "../../src/models/api-versions.ts";
import { operationsAt } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { describeFixtureOverHttp } from "../support/fixture.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { nameOf, toDryCall } from "../support/valid-call.ts";
import { documentTexts, parseDocument } from "./documents.ts";

// What a server keeps of its own is answered by one that runs for itself only.
const operations = (await loadOperations()).filter(({ ofServer }) => !ofServer);

// The harness checks answers at the other versions by the document too.
describeFixtureOverHttp("Prism, as a proxy that validates by the document,", (fixture) => {
  it("lets pass every operation of the newest version and its answer", async () => {
    const { harness } = fixture;
    const version = newestVersion;
    const proxy = await startProxy(
      documentTexts.find((one) => one.version === version)?.text ?? "",
      harness.origin,
    );
    const refused: unknown[] = [];
    for (const operation of operationsAt(operations, version)) {
      const call = { ...toDryCall(operation, fixture), version };
      const answer = await proxy.send(await harness.requestOf(nameOf(operation), call));
      const violations = answer.headers["sl-violations"];
      if (answer.status !== 200 || violations)
        refused.push([operation.name, answer.status, violations ?? answer.text]);
    }
    expect(refused).toEqual([]);
  });
});

/** Prism in front of a server, as `prism proxy --errors` starts it, until the test is over; it tells what it finds in a header. */
async function startProxy(text: string, upstream: string): Promise<HttpClient> {
  // Read from a text by itself, it would be asked for a file of that name.
  const operations = await getHttpOperationsFromSpec({ ...parseDocument(text) });
  const prism = createServer(operations, {
    // It is typed for an older pino.
    components: { logger: pino({ level: "silent" }) as never },
    config: {
      checkSecurity: true,
      errors: true,
      isProxy: true,
      mock: { dynamic: false },
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      validateRequest: true,
      validateResponse: true,
    },
    cors: false,
  });
  const client = createHttpClient(await prism.listen(0, "127.0.0.1"));
  onTestFinished(async () => {
    await client.close();
    await prism.close();
  });
  return client;
}
