import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { Bed, type BedOptions } from "./bed.ts";
import { databases } from "./databases.ts";
import { type TransportKind, transports } from "./transports.ts";

/**
 * Declares the same tests for every database and every way to the operations. The tests of one description share a
 * bed; those that need a store of their own call `freshBed`.
 */
export function describeOnEveryTarget(name: string, declareTests: (bed: Bed) => void): void {
  describeOn(transports, name, declareTests);
}

/** The same for what only a server has: headers, methods, bytes. */
export function describeOverHttp(name: string, declareTests: (bed: Bed) => void): void {
  const withServer = transports.filter((transport) => transport.name === "HTTP");
  describeOn(withServer, name, declareTests);
}

/** The same for what has nothing to do with the way to the operations. */
export function describeInProcess(name: string, declareTests: (bed: Bed) => void): void {
  const withoutServer = transports.filter((transport) => transport.name === "in process");
  describeOn(withoutServer, name, declareTests);
}

/**
 * The beds to try each way on. The way to the operations knows nothing of the database: all ways are tried on the first
 * database, one on each of the others.
 */
export function toBeds(kinds: readonly TransportKind[], options: BedOptions = {}): Bed[] {
  return databases.flatMap((database, index) =>
    (index === 0 ? kinds : kinds.slice(0, 1)).map((transport) => new Bed(database, transport, options)),
  );
}

function describeOn(kinds: readonly TransportKind[], name: string, declareTests: (bed: Bed) => void): void {
  for (const bed of toBeds(kinds)) {
    describe(`${name} [${bed.database.name}, ${bed.transport.name}]`, () => {
      beforeAll(async () => {
        await bed.open();
      });
      afterAll(async () => {
        const faults = [...bed.faults];
        await bed.close();
        expect(faults, "what the server logged as its own faults").toEqual([]);
      });
      declareTests(bed);
    });
  }
}

/** Another bed of the same kind, for one test. */
export async function freshBed(like: Bed, options: BedOptions = {}): Promise<Bed> {
  const bed = await new Bed(like.database, like.transport, options).open();
  onTestFinished(() => bed.close());
  return bed;
}
