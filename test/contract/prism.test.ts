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

// Operations of the server itself run on a separate server.
const operations = (await loadOperations()).filter(({ ofServer }) => !ofServer);

// The harness validates the answers at the other versions.
describeFixtureOverHttp("Prism, as a proxy that validates by the document,", (fixture) => {
  it("passes every operation of the newest version and its answer", async () => {
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

/** Starts Prism in front of a server, like `prism proxy --errors`. It returns its findings in a header. */
async function startProxy(text: string, upstream: string): Promise<HttpClient> {
  // Prism would treat the document's text as a file name.
  const operations = await getHttpOperationsFromSpec({ ...parseDocument(text) });
  const prism = createServer(operations, {
    // Prism's type is for an older pino.
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
