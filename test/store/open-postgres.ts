/**
 * A process of its own for postgres-opening.test.ts: opens a store, and creates missing tables, when a line arrives on standard input. Argument: the store. Ends with 0 when the store can be used.
 */
import { once } from "node:events";
import { openPostgres } from "../../src/store/postgres/postgres.ts";

const database = openPostgres(process.argv[2] ?? "", { create: true });
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();
await database.check();
await database.close();
