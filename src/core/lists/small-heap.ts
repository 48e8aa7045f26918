import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Keeps the heap small during long work: the work calls `passed` after each of its parts, and `end` when it is over. */
export interface SmallHeap {
  passed(): void;
  end(): void;
}

const partsBetweenLooks = 15;
/** Less garbage than this is not worth a collection. */
const grownBytesMin = 4 * 2 ** 20;

let working = 0;

/**
 * Bounds the memory of long work. Left alone, the engine lets garbage grow to several times of what is in use and widens
 * the space for new objects, so an export would take as much memory as the engine likes. Here that space keeps its size
 * until the last such work ends, and the engine collects garbage when some has come together, which takes some 20 ms.
 */
export function createSmallHeap(): SmallHeap {
  working += 1;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let parts = 0;
  let usedBytes = readUsedBytes();
  return {
    passed() {
      parts++;
      if (parts % partsBetweenLooks !== 0 || readUsedBytes() - usedBytes < grownBytesMin) return;
      collect();
      usedBytes = readUsedBytes();
    },
    end() {
      working -= 1;
      // The engine's own value: what else this process does is not slowed down by it.
      if (working === 0) setFlagsFromString("--semi-space-growth-factor=2");
    },
  };
}

const readUsedBytes = () => getHeapStatistics().used_heap_size;
