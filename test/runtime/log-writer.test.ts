import { expect, it } from "vitest";
import { LineQueue, type LogDevice, type Loss } from "../../src/runtime/log-writer.ts";

/** A device that fails in the ways in which the system does. */
function openDevice() {
  const device = { error: null as string | null, text: "", takesMax: Number.POSITIVE_INFINITY };
  const writeNow = (bytes: Buffer) => {
    if (device.error) throw Object.assign(new Error(device.error), { code: device.error });
    const taken = bytes.subarray(0, device.takesMax);
    device.text += taken;
    return taken.length;
  };
  const write: LogDevice["write"] = (bytes, done) => {
    setImmediate(() => {
      try {
        done(null, writeNow(bytes));
      } catch (error) {
        done(error as NodeJS.ErrnoException, 0);
      }
    });
  };
  const losses: Loss[] = [];
  const queue = new LineQueue({ batchMax: 4096, write, writeNow }, (loss) => {
    losses.push(loss);
    return `lost ${loss.lines}\n`;
  });
  return { device, losses, queue };
}

const line = (number: number) => `${String(number).padStart(9, "0")}${"x".repeat(90)}\n`;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => line(from + index)).join("");

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}

it("lines are written in order, however much a device accepts at once", async () => {
  const { device, queue } = openDevice();
  device.takesMax = 37;
  for (let number = 0; number < 50; number++) queue.add(line(number));
  await until(() => device.text === lines(0, 50));
});

it.each(["ENOSPC", "EPIPE", "EIO", "EAGAIN"])(
  "%s delays lines, which are written afterwards",
  async (code) => {
    const { device, losses, queue } = openDevice();
    device.error = code;
    for (let number = 0; number < 100; number++) queue.add(line(number));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(device.text).toBe("");
    device.error = null;
    await until(() => device.text === lines(0, 100));
    expect(losses).toEqual([]);
  },
);

it.each(["ENOSPC", "EAGAIN"])(
  "while a device reports %s, 1 MiB of 30,000 lines waits, and one line counts the others in their place",
  async (code) => {
    const { device, losses, queue } = openDevice();
    device.error = code;
    queue.add(line(0));
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let number = 1; number < 30_000; number++) queue.add(line(number));
    device.error = null;
    await until(() => device.text.includes("lost"));
    queue.add(line(30_000));
    await until(() => device.text.endsWith(line(30_000)));
    const [loss] = losses;
    const kept = 30_000 - Number(loss?.lines);
    expect(kept * 100).toBeLessThanOrEqual(1024 * 1024 + 4096);
    expect(kept).toBeGreaterThan(10_000);
    expect(device.text).toBe(`${lines(0, kept)}lost ${loss?.lines}\n${line(30_000)}`);
    expect(losses).toHaveLength(1);
    expect((loss?.error as { code?: string } | null)?.code).toBe(code === "EAGAIN" ? undefined : code);
  },
);

it("writes waiting lines when the process ends, and does not wait for a stuck device", () => {
  const { device, queue } = openDevice();
  for (let number = 0; number < 1000; number++) queue.add(line(number));
  device.error = "EAGAIN";
  queue.flush();
  expect(device.text).toBe("");
  device.error = null;
  queue.flush();
  expect(device.text).toBe(lines(0, 1000));
});
