/**
 * A separate process for shared-file.test.ts: creates customers in a store while others write to it. Arguments: the
 * store, a tenant, a location, the number of customers, and the prefix of their names. Waits for a line on standard
 * input to start, then prints the result as JSON.
 */
import { once } from "node:events";
import { toActor } from "../../src/core/actor.ts";
import { openService } from "../../src/core/open-service.ts";
import { createLocalClient } from "../support/local-client.ts";

const [data = "", tenantId = "", location_id = "", count = "", prefix = ""] = process.argv.slice(2);

const service = openService({ data });
const user = await service.store.accounts.findUser(Number(tenantId), null);
if (!user) throw new Error("The tenant has no user.");
const client = createLocalClient(service, toActor(Number(tenantId), user, null, null));

const ids: number[] = [];
const refused: string[] = [];

async function create(from: number, to: number): Promise<void> {
  for (let made = from; made < to; made++) {
    const body = { addresses: [], contacts: [], name: `${prefix} ${made}` };
    try {
      ids.push((await client.customers.create({ body, params: { location_id } } as never)).id);
    } catch (error) {
      refused.push(String(error));
    }
  }
}

// The first one comes before the start, so that on any machine no process ends before the other has begun.
await create(0, 1);
process.stdout.write("ready\n");
await once(process.stdin, "data");
await create(1, Number(count));
await service.store.close();
process.stdin.destroy();
process.stdout.write(`${JSON.stringify({ ids, refused })}\n`);
