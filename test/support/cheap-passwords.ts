import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll } from "vitest";

/** Makes password hashing almost free in the tests of a `describe` that does not test the hash. */
export function hashPasswordsCheaply(): void {
  const { scrypt } = crypto;
  const cheap = (password: string, salt: Buffer, bytes: number, _cost: object, done: Done) =>
    scrypt(password, salt, bytes, { N: 2 }, done);
  // The program uses only this overload.
  beforeAll(() => use(cheap as typeof scrypt));
  afterAll(() => use(scrypt));
}

function use(scrypt: typeof crypto.scrypt): void {
  crypto.scrypt = scrypt;
  syncBuiltinESMExports();
}

type Done = (error: Error | null, key: Buffer) => void;
