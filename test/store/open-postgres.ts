/**
 * A separate process for postgres-opening.test.ts: waits for a line on standard input, then opens a store and creates
 * missing tables. Argument: the store. Exits with 0 if the store is usable.
 */
import { once } from "node:events";
import { openPostgres } from "../../src/store/postgres/postgres.ts";

const database = openPostgres(process.argv[2] ?? "", { create: true });
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();
await database.check();
await database.close();
