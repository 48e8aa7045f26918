import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Keeps the heap small during long work: the work calls `passed` after each of its parts. */
export interface SmallHeap {
  passed(): void;
}

const partsBetweenCollections = 15;

/**
 * Bounds the memory of long work. Left alone, the engine lets garbage grow to several times of what is in use and widens
 * the space for new objects, so an export would take as much memory as the engine likes. Here that space keeps its size,
 * and the engine collects garbage after every few parts, which takes some 20 ms.
 */
export function createSmallHeap(): SmallHeap {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let parts = 0;
  return {
    passed() {
      parts++;
      if (parts % partsBetweenCollections === 0) collect();
    },
  };
}
