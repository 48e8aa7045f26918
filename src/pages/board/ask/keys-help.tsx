import { Fragment, type JSX } from "preact";
import { useBoard } from "../board-context.ts";
import { offeredKeys } from "../move/offered-keys.ts";
import { Window } from "./window.tsx";

/** The keys that do something for whoever is signed in; they are those of the terminal's board. */
export function KeysHelp(): JSX.Element {
  const { asked, session } = useBoard();
  return (
    <Window title="Keys" onClose={() => (asked.value = null)}>
      <dl class="keys">
        <dt>arrows</dt>
        <dd>choose another job; Home and End go further</dd>
        <dt>Enter</dt>
        <dd>open the job</dd>
        <dt>r</dt>
        <dd>try again what the service did not answer</dd>
        {offeredKeys(session).map(({ does, shown: key }) => (
          <Fragment key={key}>
            <dt>{key}</dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
    </Window>
  );
}
