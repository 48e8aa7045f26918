import type { JSX } from "preact";
import { boardKeys } from "../../../board/board-keys.ts";
import { useBoard } from "../board-context.ts";
import { Window } from "./window.tsx";

/** The keys, which are those of the terminal's board. */
export function KeysHelp(): JSX.Element {
  const { asked } = useBoard();
  const shown = boardKeys.filter(({ name }) => name !== "q" && name !== "up");
  return (
    <Window title="Keys" onClose={() => (asked.value = null)}>
      <dl class="keys">
        <dt>arrows</dt>
        <dd>choose another job; Home and End go further</dd>
        <dt>Enter</dt>
        <dd>open the job</dd>
        {shown.map(({ does, shown: key }) => (
          <>
            <dt>{key}</dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
    </Window>
  );
}
