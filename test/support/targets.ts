import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { databases, sqlite } from "./databases.ts";
import { Harness, type HarnessOptions } from "./harness.ts";
import { type TransportKind, transports } from "./transports.ts";

/**
 * Declares the same tests for every database and every transport. The tests of one `describe` share a harness; those
 * that need their own store call `freshHarness`.
 */
export function describeOnEveryTarget(name: string, declareTests: (harness: Harness) => void): void {
  describeOn(toHarnesses(transports), name, declareTests);
}

/** The same for what only a server has, on any database: headers, methods, bytes. */
export function describeOverHttp(name: string, declareTests: (harness: Harness) => void): void {
  describeOn(toHarnesses(withServer).slice(0, 1), name, declareTests);
}

/** The same over HTTP only, with both databases: callers, counts, and failures. */
export function describeOverHttpOnEveryDatabase(
  name: string,
  declareTests: (harness: Harness) => void,
): void {
  describeOn(toHarnesses(withServer), name, declareTests);
}

const withServer = transports.filter((transport) => transport.name === "HTTP");

/** The same for what does not depend on the transport. */
export function describeInProcess(name: string, declareTests: (harness: Harness) => void): void {
  describeOn(toHarnesses(withoutServer), name, declareTests);
}

/** The same for what depends neither on the database nor on the transport. */
export function describeInProcessOnSqlite(name: string, declareTests: (harness: Harness) => void): void {
  describeOn(
    withoutServer.map((transport) => new Harness(sqlite, transport)),
    name,
    declareTests,
  );
}

const withoutServer = transports.filter((transport) => transport.name === "in process");

/**
 * The harnesses that cover each transport and each database. Transports do not depend on the database, so this skips
 * some combinations. A server runs on SQLite; tests of the command line cover SQLite without a server.
 */
export function toHarnesses(kinds: readonly TransportKind[], options: HarnessOptions = {}): Harness[] {
  return databases.flatMap((database, index) => {
    const transport = kinds[(index + 1) % kinds.length];
    return transport ? [new Harness(database, transport, options)] : [];
  });
}

function describeOn(
  harnesses: readonly Harness[],
  name: string,
  declareTests: (harness: Harness) => void,
): void {
  for (const harness of harnesses) {
    describe(`${name} [${harness.database.name}, ${harness.transport.name}]`, () => {
      beforeAll(async () => {
        await harness.open();
      });
      afterAll(async () => {
        const faults = [...harness.faults];
        await harness.close();
        expect(faults, "what the server logged as its own faults").toEqual([]);
      });
      declareTests(harness);
    });
  }
}

/** Another harness of the same kind, for one test. */
export async function freshHarness(like: Harness, options: HarnessOptions = {}): Promise<Harness> {
  const harness = await new Harness(like.database, like.transport, options).open();
  onTestFinished(() => harness.close());
  return harness;
}
