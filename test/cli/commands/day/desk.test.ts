import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import type { CliContext } from "../../../../src/cli/context.ts";
import { runCommandLine } from "../../../../src/cli/run.ts";
import { inThisProcess, runCommand } from "../../../support/command-line.ts";
import { seedStore } from "../../../support/seed-store.ts";
import { useTempFolder } from "../../../support/temp-folder.ts";
import { keys } from "../../../support/typed-command.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
const run = (line: string) => runCommand(line.split(" "), { env });
const jobOf = async (id: number) => JSON.parse((await run(`jobs get ${id} --location 1 -o json`)).stdout);

type Http = Pick<CliContext["http"], "localFetch">;

/** Runs the program at a terminal whose screen the test can read. */
function openDesk(line: string, http: Http = inThisProcess) {
  const [columns, rows] = [100, 24];
  const rawModes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => rawModes.push(isRaw),
  });
  let written = "";
  const stdout = {
    isTTY: true,
    columns,
    rows,
    write: (text: string | Uint8Array) => {
      written += String(text);
    },
  };
  const stderr = { isTTY: true, columns, rows, write: () => undefined };
  const context = { env, http, onInterrupt: () => undefined, stderr, stdin, stdout };
  const code = runCommandLine(line.split(" "), context as unknown as CliContext);
  const screen = () =>
    written
      .slice(written.lastIndexOf("\u001b[?2026h"))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that move the cursor are not text.
      .replace(/\u001b\[[\d;?]*[A-Za-z]/g, "\n")
      .split(/[\r\n]+/);
  return {
    code,
    rawModes,
    stdout,
    written: () => written,
    screen,
    press: (...typed: string[]) => {
      for (const key of typed) stdin.write(key);
    },
    /** Waits until the screen shows the text. */
    async until(text: string): Promise<string[]> {
      while (!screen().join("\n").includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
      return screen();
    },
  };
}

/** A target that lists jobs more slowly than a person waits for a key. */
const slowLists: Http = {
  async localFetch(...asked) {
    const fetch = await inThisProcess.localFetch(...asked);
    return async (url, init) => {
      if (init.method === "GET" && /\/jobs(\?|$)/.test(url)) await wait(400);
      return fetch(url, init);
    };
  },
};

const day = "2026-12-24";

beforeAll(async () => {
  await seedStore((words, input = "") => runCommand(words, { env, input }));
  await run("hooks delete 1 --yes");
  await run("trucks create --location 1 --name Eight");
  for (let made = 0; made < 3; made++)
    await run(
      `jobs create --location 1 --type P --requested-by 1 --address-id 1 --schedule-date ${day} --truck-id 2`,
    );
});

it("orders, assigns, schedules, completes, fails and undoes jobs by keys, and restores the terminal", async () => {
  const desk = openDesk(`day ${day} -i --no-color`);
  await desk.until("Eight · no driver · 0 of 3 done");
  const chosen = () => desk.screen().find((line) => line.startsWith("❯")) ?? "";

  // The truck has jobs 3, 4, and 5. Jobs without a time come first.
  desk.press("/", "eight", keys.enter);
  await desk.until("/eight · 3 of");
  expect(chosen()).toContain(" 3 ");
  desk.press("M");
  await desk.until("Job 3 is done later");
  // The note appears before the program reads the board again.
  const order = () => desk.screen().flatMap((line) => /^[❯ ] .* ([345]) {2}Pickup/.exec(line)?.[1] ?? []);
  await expect.poll(order).toEqual(["4", "3", "5"]);

  desk.press("c");
  await desk.until("Job 3 completed");
  expect(await jobOf(3)).toMatchObject({ is_completed: true });
  desk.press("u");
  await desk.until("Undone: Job 3 completed");
  expect(await jobOf(3)).toMatchObject({ is_completed: false });

  desk.press("f", "Gate locked", keys.enter);
  await desk.until("Job 3 failed");
  expect(await jobOf(3)).toMatchObject({ fail_reason: "Gate locked", is_failed: true });
  desk.press("u");
  await desk.until("Undone: Job 3 failed");

  desk.press("s", "2026-12-26", keys.enter);
  await desk.until("Job 3 → Sat Dec 26");
  expect(await jobOf(3)).toMatchObject({ schedule_date: "2026-12-26T00:00:00.000000" });
  desk.press("u");
  await desk.until("Undone: Job 3 →");

  desk.press("a", "no truck", keys.enter);
  await desk.until("Job 3 is on no truck");
  expect(await jobOf(3)).toMatchObject({ truck_id: null });

  desk.press("?");
  await desk.until("undo your last change of a job;");
  await desk.until("Enter  show the phone numbers");
  desk.press("?", "q");
  expect(await desk.code).toBe(0);
  expect(desk.rawModes).toEqual([true, false]);
  expect(desk.written().endsWith("\u001b[?7h\u001b[?25h\u001b[?1049l")).toBe(true);
});

it("does not undo a job that another user has changed since, and shows an error of a slow target", async () => {
  const desk = openDesk(`day ${day} -i --no-color`, slowLists);
  await desk.until("Eight");
  // The target is slow to return the board. The note of the key stays, so u undoes without a question.
  desk.press("/", "eight", keys.enter, "c", "u");
  await desk.until("Undone: Job 4 completed");
  desk.press("c");
  await desk.until("completed · u to undo");
  await run("jobs update 4 --location 1 --dispatcher-notes Called");
  desk.press("u");
  await desk.until("! Job 4 was changed since");
  desk.press("s", "someday", keys.enter);
  await desk.until('! "someday" is not a time');
  desk.press(keys.ctrlC);
  expect(await desk.code).toBe(130);
});

it("follows changes by others and the size of the terminal", async () => {
  const desk = openDesk(`day ${day} -i --no-color`);
  await desk.until("Eight");
  await run(
    `jobs create --location 1 --type D --requested-by 1 --address-id 1 --schedule-date ${day} --truck-id 2`,
  );
  await desk.until("Drop-off");
  Object.assign(desk.stdout, { columns: 40, rows: 8 });
  const fits = () => {
    const lines = desk.screen().filter((line) => line !== "");
    return lines.length <= 8 && lines.every((line) => line.length <= 40);
  };
  await expect.poll(fits).toBe(true);
  desk.press("q");
  expect(await desk.code).toBe(0);
});

it("changes several jobs in one step, the day, and shows the details of a job", async () => {
  await run("contacts update 1 --customer 1 --name Ania --number 202-555-0199");
  const desk = openDesk("day 2027-03-01 -i --no-color --location 1");
  await desk.until("Unscheduled");
  await run("jobs create --location 1 --type D --requested-by 1 --address-id 1 --schedule-date 2027-03-02");
  await run("jobs create --location 1 --type D --requested-by 1 --address-id 1 --schedule-date 2027-03-02");
  desk.press("]", "/", "baczek drop", keys.enter);
  await desk.until("Tue Mar 2 2027");
  await desk.until("On no truck · 2 to assign");
  await desk.until("call Ania 202-555-0199");
  desk.press("j", keys.enter);
  await desk.until("Any key closes the details.");
  expect(desk.screen().join("\n")).toMatch(/^ {2}Call {7}Ania · 202-555-0199$/m);
  desk.press(" ", "\u001b");
  await desk.until("On no truck");
  const onTruck = async (id: number) => (await jobOf(id)).truck_id;
  const listed = JSON.parse((await run("jobs list --location 1 -o json")).stdout).results;
  const ids = (listed as { id: number; schedule_date: string | null }[])
    .filter(({ schedule_date }) => schedule_date?.startsWith("2027-03-02"))
    .map(({ id }) => id);
  expect(ids).toHaveLength(2);
  desk.press("\u001b[F", "k", " ", " ");
  await desk.until("selected · a truck");
  desk.press("a", "eight", keys.enter);
  await desk.until("2 jobs → Eight · u to undo");
  expect(await Promise.all(ids.map(onTruck))).toEqual([2, 2]);
  desk.press("u");
  await desk.until("Undone: 2 jobs → Eight");
  expect(await Promise.all(ids.map(onTruck))).toEqual([null, null]);
  desk.press("[");
  await desk.until("Mon Mar 1 2027");
  desk.press("q");
  expect(await desk.code).toBe(0);
});

it("requires a terminal", async () => {
  expect(await run("day -i")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("-i needs a terminal"),
  });
});
