import { readdir, readFile } from "node:fs/promises";
import { type Figure, toCounter, toGauge } from "./figures.ts";

export type OwnProcess = Pick<NodeJS.Process, "cpuUsage" | "memoryUsage" | "version">;

/** The standard names of process metrics. */
export async function readProcessFigures(own: OwnProcess): Promise<Figure[]> {
  const { system, user } = own.cpuUsage();
  const { external, heapTotal, heapUsed, rss } = own.memoryUsage();
  const gauge = (name: string, help: string, value: number) => toGauge(name, help, "sum", [[{}, value]]);
  const counter = (name: string, help: string, value: number) => toCounter(name, help, [[{}, value]]);
  return [
    counter("process_cpu_seconds_total", "CPU time of the program, in seconds.", (system + user) / 1e6),
    counter("process_cpu_user_seconds_total", "The part of it in the program.", user / 1e6),
    counter("process_cpu_system_seconds_total", "The part of it in the system.", system / 1e6),
    gauge("process_resident_memory_bytes", "Memory that the program holds.", rss),
    gauge("nodejs_heap_size_used_bytes", "Heap of Node.js in use.", heapUsed),
    gauge("nodejs_heap_size_total_bytes", "Heap of Node.js.", heapTotal),
    gauge("nodejs_external_memory_bytes", "Memory of Node.js outside of its heap.", external),
    toGauge("process_start_time_seconds", "When the program was started, since 1970.", "min", [
      [{}, performance.timeOrigin / 1000],
    ]),
    ...(await readFiles()),
  ];
}

/** Only Linux reports these. */
async function readFiles(): Promise<Figure[]> {
  try {
    const [open, limits] = await Promise.all([
      readdir("/proc/self/fd"),
      readFile("/proc/self/limits", "utf8"),
    ]);
    const max = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    return [
      // Each process has its own limit; the nearest one counts.
      toGauge("process_open_fds", "Open files and connections, of the process that has most.", "max", [
        [{}, open.length],
      ]),
      toGauge("process_max_fds", "How many a process may have.", "min", Number.isNaN(max) ? [] : [[{}, max]]),
    ];
  } catch {
    return [];
  }
}
