import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openService } from "../local/open-service.ts";
import { fromWholeDay } from "../local-time/whole-day.ts";
import { type LocalDate, Zone } from "../local-time/zone.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { writePrivately } from "../runtime/private-file.ts";
import { programVersion } from "../runtime/program-version.ts";
import { newestSchema } from "../store/migrations/index.ts";
import { companies } from "./companies.ts";
import { fillDemoStore } from "./fill-demo-store.ts";

/**
 * The demo store as an image, as it is at the beginning of a day: a day has the same records at any hour and on any
 * machine. To fill it takes two seconds, so the process keeps the last, and `folder` one for other processes.
 */
export async function readDemoImage(now: Timestamp, folder: string | null): Promise<Uint8Array> {
  const day = new Zone(companies[0].timeZone).dateOf(now);
  if (last?.day !== day) {
    const image = readKept(day, folder)
      .catch(() => null)
      .then((kept) => kept ?? makeImage(day, folder));
    last = { day, image };
    // The next caller tries again.
    image.catch(() => {
      last = undefined;
    });
  }
  return last.image;
}

let last: { day: LocalDate; image: Promise<Uint8Array> } | undefined;

async function makeImage(day: LocalDate, folder: string | null): Promise<Uint8Array> {
  const dayStart = fromWholeDay(day);
  const service = openService({
    data: "the demo in memory",
    clock: { now: () => dayStart },
    inMemory: { image: null },
    isBulk: true,
  });
  try {
    await fillDemoStore(service, { seed: 1, jobs: 2000 });
    const image = await service.store.image(Number.POSITIVE_INFINITY);
    if (image === null) throw new Error("A store in memory has an image.");
    if (folder !== null) keep(day, folder, image);
    return image;
  } finally {
    await service.store.close();
  }
}

const prefix = "demo-";

const nameOf = (day: LocalDate) => `${prefix}${programVersion}-${newestSchema}-${day}.db`;

async function readKept(day: LocalDate, folder: string | null): Promise<Uint8Array | null> {
  return folder === null ? null : readFileSync(join(folder, nameOf(day)));
}

/** Keeps one. Where nothing can be written it is made each time. */
function keep(day: LocalDate, folder: string, image: Uint8Array): void {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    for (const name of readdirSync(folder)) if (name.startsWith(prefix)) rmSync(join(folder, name));
    writePrivately(join(folder, nameOf(day)), image);
  } catch {
    return;
  }
}
