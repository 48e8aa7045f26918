import { join } from "node:path";
import { expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { startServer } from "../../src/http/serve.ts";
import { hasDeliverer } from "../../src/webhooks/deliverer-mark.ts";
import { runCommand } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
const run = (line: string) => runCommand(line.split(" "), { env: { DISPATCH_DATA: data } });

it("a command reports pending deliveries only if no process sends them", async () => {
  await run("init --tenant Acme --allow-private-hooks --location Yard");
  await run("hooks create --events Truck --callback-url http://127.0.0.1:9/");
  const told = /webhook deliver(?:y is|ies are) pending/;
  const write = async () => (await run("trucks create --name T")).stderr;
  expect(await write()).toMatch(told);

  const service = openService({ data });
  const log = { write() {} };
  const options = { delivers: true, host: "127.0.0.1", log, logLevel: "silent", port: 0 } as const;
  const server = await startServer(service, options);
  await eventually(async () => expect(await hasDeliverer(service)).toBe(true));
  expect(await write()).toBe("");
  await server.close();
  await service.store.close();
  expect(await write()).toMatch(told);
});
