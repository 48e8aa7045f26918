import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { programPath, serveStore } from "../support/program.ts";
import { hasPseudoTerminal, openPseudoTerminal } from "../support/pseudo-terminal.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

it.skipIf(!hasPseudoTerminal)(
  "the board with keys survives a server that goes away, reports a faster user, and restores the terminal when killed",
  async () => {
    const env = { DISPATCH_DATA: join(mkdtempSync(join(folder, "desk-")), "store.db") };
    const run = (line: string) => runCommand(line.split(" "), { env });
    const token = await seedStore((words, input = "") => runCommand(words, { env, input }));
    await run("hooks delete 1 --yes");
    await run("users create --location 1 --username dana --roles Dispatcher");
    let server = await serveStore(env.DISPATCH_DATA);
    onTestFinished(async () => void (await server.end()));
    const { url } = server;
    const program = `${process.execPath} ${programPath}`;
    const desk = openPseudoTerminal(`${program} day 2026-12-01 -i; echo "code $?"; stty -a`, {
      DISPATCH_URL: url,
      DISPATCH_TOKEN: token,
    });
    await desk.until("0 of 1 done");

    desk.press("c");
    await desk.until("Job 2 completed · u to undo");
    desk.press("u");
    await desk.until("Undone: Job 2 completed");

    desk.press("s");
    await desk.until("New date of job 2?");
    await run("jobs complete 2 --location 1 --yes --as dana");
    desk.press("tomorrow\r");
    await desk.until("Job 2 is completed now: another user changed it first.");

    desk.press("");
    await server.end();
    await desk.until("! unreachable since");
    await run("jobs update 1 --location 1 --is-completed true");
    server = await serveStore(env.DISPATCH_DATA, ["--port", new URL(url).port]);
    await desk.until("1 of 1 done");

    const pid = desk.pids().at(-1) ?? 0;
    desk.press("");
    process.kill(pid, "SIGTERM");
    await desk.until("code 130");
    await desk.ended;
    const end = desk.written().slice(desk.written().lastIndexOf("\u001b[?2004l"));
    expect(end).toContain("\u001b[?7h\u001b[?25h\u001b[?1049l");
    expect(end).toMatch(/ icanon/);
    expect(end).toMatch(/ echo /);
  },
);
