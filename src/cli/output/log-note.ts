import { toLogLine } from "../../runtime/log-line.ts";
import type { Screen } from "../context.ts";
import { tellJson } from "./tell.ts";

/** Tells what whoever operates a server should know as a record among those of its log, whose every line is JSON. */
export function logNote(log: Pick<Screen, "write">, note: string): void {
  tellJson(log, toLogLine("warn", { msg: note }));
}
