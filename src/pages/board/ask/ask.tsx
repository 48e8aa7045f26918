import type { JSX } from "preact";
import { useBoard } from "../board-context.ts";
import { AskFailed } from "./ask-failed.tsx";
import { AskTruck } from "./ask-truck.tsx";
import { AskUndo } from "./ask-undo.tsx";
import { AskComplete } from "./job/ask-complete.tsx";
import { JobWindow } from "./job/job-window.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { NewJobWindow } from "./new-job/new-job-window.tsx";

/** What is asked for at the moment, in a window of its own. */
export function Ask(): JSX.Element | null {
  const { asked, doing } = useBoard();
  if (doing.undoing.value) return <AskUndo {...doing.undoing.value} />;
  const wanted = asked.value;
  if (wanted === null) return null;
  if (wanted.kind === "job") return <JobWindow key={wanted.job.id} job={wanted.job} />;
  if (wanted.kind === "truck") return <AskTruck job={wanted.job} onClose={() => (asked.value = null)} />;
  if (wanted.kind === "complete")
    return <AskComplete key={wanted.job.id} job={wanted.job} onClose={() => (asked.value = null)} />;
  if (wanted.kind === "fail") return <AskFailed job={wanted.job} />;
  if (wanted.kind === "new") return <NewJobWindow />;
  return <KeysHelp />;
}
