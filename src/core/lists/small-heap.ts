import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Keeps little of what long work leaves behind; call `passed` after each part of it. */
export interface SmallHeap {
  passed(): void;
}

const partsBetweenCollections = 50;

/**
 * By itself the engine lets garbage grow to several times of what is in use, and the room for new objects to what it
 * finds convenient, so that the memory an export takes would depend on the engine more than on the export. Here that
 * room stays as it is, and garbage is collected every so many parts, which takes some 20 ms.
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
