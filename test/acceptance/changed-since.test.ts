import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { serveStore } from "../support/program.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

it.each([
  ["SQLite", () => sqlite.create()],
  ["PostgreSQL", createEmptyDatabase],
] as const)(
  "an import on a server on %s overwrites no record that changed before its request, and asks for that record only",
  async (name, createDatabase) => {
    const database = createDatabase();
    onTestFinished(() => database.remove());
    const onStore = { DISPATCH_DATA: database.data };
    const token = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
    const server = await serveStore(database.data, ["--no-deliver"]);
    onTestFinished(async () => void (await server.end()));
    const run = (url: string, line: string) =>
      runCommand([...line.split(" "), "-o", "json"], {
        env: { DISPATCH_URL: url, DISPATCH_TOKEN: token },
      });
    for (const truck of ["One", "Two", "Three"])
      await run(server.url, `trucks create --location 1 --name ${truck} --notes old`);
    const file = join(folder, `${name}.csv`);
    writeFileSync(file, "name,notes\nOne,file\nTwo,file\nThree,file\n");

    const snapshot = join(folder, `${name}.ndjson`);
    await runCommand(["export", "all", "--out", snapshot, "--data", database.data]);

    const seen: string[] = [];
    let isChanged = false;
    const changeTwo = () => run(server.url, "trucks update 3 --location 1 --notes hand");
    const between = await startProxy(server.url, async ({ method, url }) => {
      if (method === "PATCH" && !isChanged) {
        isChanged = true;
        await changeTwo();
      }
      seen.push(`${method} ${url?.split("?")[0]}`);
    });
    const imported = await run(between, `import trucks ${file} --location 1 --yes`);
    expect(imported.code, imported.stderr).toBe(6);
    expect(JSON.parse(imported.stdout)).toMatchObject({ changed_since: 1, updated: 2 });
    const writing = seen.slice(seen.findIndex((line) => line.startsWith("PATCH")));
    expect(writing).toEqual([
      "PATCH /locations/1/trucks/2",
      "PATCH /locations/1/trucks/3",
      "GET /locations/1/trucks/3",
      "PATCH /locations/1/trucks/4",
    ]);
    const { results } = JSON.parse((await run(server.url, "trucks list --location 1")).stdout);
    const notes = (results as { id: number; notes: string }[]).filter(({ id }) => id > 1);
    expect(notes.map((truck) => truck.notes)).toEqual(["file", "hand", "file"]);

    seen.length = 0;
    const back = await run(between, `import all ${snapshot} --yes`);
    expect(back.code, back.stderr).toBe(0);
    expect(seen.filter((line) => /trucks\/\d/.test(line))).toEqual(
      [2, 3, 4].map((id) => `PATCH /locations/1/trucks/${id}`),
    );
  },
);

/** Forwards requests to a server after `before` has resolved. */
async function startProxy(url: string, before: (request: IncomingMessage) => Promise<void>): Promise<string> {
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    await before(incoming);
    const { headers, method = "GET", url: path = "/" } = incoming;
    const onward = forward(url + path, { headers, method }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  };
  const proxy = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
