import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const partsBetweenLooks = 15;
const grownBytesMin = 4 * 2 ** 20;

let working = 0;

/** Collects garbage between parts of long work: V8 would let it grow to several times the used memory. */
export async function* keepHeapSmall<T>(parts: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  let heap: ReturnType<typeof boundHeap> | null = null;
  let isFirst = true;
  try {
    for await (const part of parts) {
      if (!isFirst) heap ??= boundHeap();
      heap?.collect();
      isFirst = false;
      yield part;
    }
  } finally {
    heap?.end();
  }
}

function boundHeap() {
  working += 1;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--expose-gc");
  const collectAll = runInNewContext("gc") as () => void;
  let parts = 0;
  let usedBytes = readUsedBytes();
  return {
    collect() {
      parts += 1;
      if (parts % partsBetweenLooks !== 0 || readUsedBytes() - usedBytes < grownBytesMin) return;
      collectAll();
      usedBytes = readUsedBytes();
    },
    end() {
      working -= 1;
      // The engine's default, for other work of this process.
      if (working === 0) setFlagsFromString("--semi-space-growth-factor=2");
    },
  };
}

const readUsedBytes = () => getHeapStatistics().used_heap_size;
