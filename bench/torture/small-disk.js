import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Mounts a disk of this many MiB at `folder`. Returns null without the right to mount, which only root has. */
export function mountSmallDisk(folder, mebibytes) {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return null;
  }
  const filler = join(folder, "filler");
  return {
    folder,
    /** Fills the disk except for this many bytes. */
    fill: (leaveBytes) => {
      rmSync(filler, { force: true });
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)));
    },
    /** Fills the rest too, even while a program writes to it. */
    fillUp: () => {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(4096), { flag: "a" });
      } catch {}
    },
    empty: () => rmSync(filler, { force: true }),
    unmount: () => execFileSync("umount", ["-l", folder]),
  };
}
