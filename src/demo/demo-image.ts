import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { openService } from "../local/open-service.ts";
import { fromWholeDay } from "../local-time/whole-day.ts";
import { type LocalDate, Zone } from "../local-time/zone.ts";
import { systemClock, type Timestamp } from "../runtime/clock.ts";
import { writePrivately } from "../runtime/private-file.ts";
import { programVersion } from "../runtime/program-version.ts";
import { newestSchema } from "../store/migrations/index.ts";
import { companies } from "./companies.ts";
import { fillDemoStore } from "./fill-demo-store.ts";

/**
 * The demo store as an image, as it is at the beginning of a day: a day has the same records at any hour and on any
 * machine. To fill it takes two seconds, so the build brings that of its day, the process keeps the last, and `folder` some
 * for other processes.
 */
export async function readDemoImage(now: Timestamp, folder: string | null): Promise<Uint8Array> {
  const day = dayOf(now);
  if (last?.day !== day) {
    const image = readBuilt(day)
      .catch(() => readKept(day, folder))
      .catch(() => makeAndKeep(day, folder));
    last = { day, image };
    // The next caller tries again.
    image.catch(() => {
      last = undefined;
    });
  }
  return last.image;
}

/** Writes the image of today into the folder of the build. */
export async function buildDemoImage(folder: string): Promise<void> {
  const day = dayOf(systemClock.now());
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(join(folder, builtNameOf(day)), brotliCompressSync(await makeImage(day), { params }));
}

const dayOf = (now: Timestamp) => new Zone(companies[0].timeZone).dateOf(now);

let last: { day: LocalDate; image: Promise<Uint8Array> } | undefined;

async function makeAndKeep(day: LocalDate, folder: string | null): Promise<Uint8Array> {
  const image = await makeImage(day);
  if (folder !== null) keep(day, folder, image);
  return image;
}

async function makeImage(day: LocalDate): Promise<Uint8Array> {
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
    return image;
  } finally {
    await service.store.close();
  }
}

const prefix = "demo-";

const nameOf = (day: LocalDate) => `${prefix}${programVersion}-${newestSchema}-${day}.db`;

const builtNameOf = (day: LocalDate) => `${nameOf(day)}.br`;

/** A program that runs from its source has none. Rejects where there is none of the day. */
async function readBuilt(day: LocalDate): Promise<Uint8Array> {
  return brotliDecompressSync(readFileSync(fileURLToPath(new URL(builtNameOf(day), import.meta.url))));
}

/** Rejects where there is none of the day. */
async function readKept(day: LocalDate, folder: string | null): Promise<Uint8Array> {
  if (folder === null) throw new Error("No folder keeps images.");
  return readFileSync(join(folder, nameOf(day)));
}

/** Tests that each set the clock to a day of their own have so many days between them. */
const keptMax = 4;

/** Keeps one, and the newest of the others. Where nothing can be written it is made each time. */
function keep(day: LocalDate, folder: string, image: Uint8Array): void {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const others = readdirSync(folder).filter((name) => name.startsWith(prefix));
    const toAge = (name: string) => statSync(join(folder, name)).mtimeMs;
    const oldest = others.sort((a, b) => toAge(b) - toAge(a)).slice(keptMax - 1);
    for (const name of oldest) rmSync(join(folder, name));
    writePrivately(join(folder, nameOf(day)), image);
  } catch {
    return;
  }
}
