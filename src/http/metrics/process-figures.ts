import { readdir, readFile } from "node:fs/promises";
import { type Figure, toCounter, toGauge } from "./figures.ts";

export type OwnProcess = Pick<NodeJS.Process, "cpuUsage" | "memoryUsage" | "version">;

export async function readProcessFigures(own: OwnProcess): Promise<Figure[]> {
  const { system, user } = own.cpuUsage();
  const { external, heapTotal, heapUsed, rss } = own.memoryUsage();
  const gauge = (name: string, help: string, value: number) => toGauge(name, help, "sum", [[{}, value]]);
  const counter = (name: string, help: string, value: number) => toCounter(name, help, [[{}, value]]);
  return [
    counter("process_cpu_seconds_total", "CPU time of the program, in seconds.", (system + user) / 1e6),
    counter("process_cpu_user_seconds_total", "CPU time in user mode, in seconds.", user / 1e6),
    counter("process_cpu_system_seconds_total", "CPU time in system mode, in seconds.", system / 1e6),
    gauge("process_resident_memory_bytes", "Resident memory of the program.", rss),
    gauge("nodejs_heap_size_used_bytes", "Heap of Node.js in use.", heapUsed),
    gauge("nodejs_heap_size_total_bytes", "Heap of Node.js.", heapTotal),
    gauge("nodejs_external_memory_bytes", "Memory of Node.js outside of its heap.", external),
    toGauge("process_start_time_seconds", "Start time of the program, in seconds since 1970.", "min", [
      [{}, performance.timeOrigin / 1000],
    ]),
    ...(await readFiles()),
  ];
}

/** Linux only. */
async function readFiles(): Promise<Figure[]> {
  try {
    const [open, limits] = await Promise.all([
      readdir("/proc/self/fd"),
      readFile("/proc/self/limits", "utf8"),
    ]);
    const max = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    return [
      // Each process has its own limit; the nearest one counts.
      toGauge(
        "process_open_fds",
        "Open files and connections of the process that has the most; Linux only.",
        "max",
        [[{}, open.length]],
      ),
      toGauge(
        "process_max_fds",
        "Maximum number of open files and connections of a process.",
        "min",
        Number.isNaN(max) ? [] : [[{}, max]],
      ),
    ];
  } catch {
    return [];
  }
}
