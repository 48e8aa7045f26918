import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { lateSign, stateSigns, toAddressLine, toCustomerText } from "../../../board/job-words.ts";
import type { Stop } from "../../../board/routes.ts";
import { isOver } from "../../../models/job-state.ts";
import type { Sign } from "./map-signs.ts";
import type { MapState } from "./map-state.ts";

/** Tab reaches one stop, arrows the others. */
export function StopSigns({
  current,
  map,
  markedId,
  onChoose,
}: {
  /** The key of the sign that has the focus, or had it last. */
  current: Signal<number | null>;
  map: MapState;
  markedId: number | null;
  onChoose: (sign: Sign) => void;
}): JSX.Element {
  const signs = map.signs.value;
  const reached = signs.some(({ key }) => key === current.value) ? current.value : signs[0]?.key;
  return (
    <g>
      {signs.map((sign) => (
        <StopSign
          key={sign.key}
          sign={sign}
          isMarked={sign.members.some(({ job }) => job.id === markedId)}
          isReached={sign.key === reached}
          onChoose={() => onChoose(sign)}
          onFocus={() => {
            current.value = sign.key;
          }}
        />
      ))}
    </g>
  );
}

interface SignProps {
  isMarked: boolean;
  isReached: boolean;
  onChoose: () => void;
  onFocus: () => void;
  sign: Sign;
}

function StopSign({ isMarked, isReached, onChoose, onFocus, sign }: SignProps): JSX.Element {
  const { at, key, members } = sign;
  const [{ job, route }] = members;
  const isCluster = members.length > 1;
  const isMixed = members.some((one) => one.route.letters !== route.letters);
  const text = isCluster ? toClusterText(sign, isMixed) : toMarkText(members[0]);
  const width = 12 + 7.5 * [...text].length;
  const about = `${text}: ${isCluster ? describeCluster(sign) : describeStop(members[0])}`;
  const isDone = members.every((one) => isOver(one.job.state));
  const names = [
    "stop",
    ...(isCluster ? ["cluster"] : []),
    ...(isDone ? ["done"] : []),
    ...(isMarked ? ["marked"] : []),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button.
    <g
      role="button"
      class={names.join(" ")}
      tabIndex={isReached ? 0 : -1}
      aria-label={about}
      style={isMixed ? {} : { color: route.color }}
      data-sign={key}
      data-state={isCluster ? undefined : job.state}
      transform={`translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`}
      onClick={onChoose}
      onFocus={onFocus}
    >
      <title>{about}</title>
      {isMarked && <rect class="ring" x={-width / 2 - 4} y="-15" width={width + 8} height="30" rx="15" />}
      {members.some((one) => one.job.is_late) && (
        <rect class="late" x={-width / 2 - 2} y="-13" width={width + 4} height="26" rx="13" />
      )}
      <rect class="pill" x={-width / 2} y="-11" width={width} height="22" rx={isCluster ? 5 : 11} />
      <text y="4">{text}</text>
    </g>
  );
}

/** `A3`, with a symbol if the job is late or over. */
function toMarkText({ job, mark }: Stop): string {
  if (isOver(job.state)) return mark + stateSigns[job.state];
  return job.is_late ? lateSign + mark : mark;
}

function toClusterText({ members }: Sign, isMixed: boolean): string {
  const late = members.some(({ job }) => job.is_late) ? lateSign : "";
  return isMixed ? `${late}${members.length}` : `${late}${members[0].route.letters}×${members.length}`;
}

function describeStop({ job }: Stop): string {
  const state = job.is_late ? `${job.state}, late` : job.state;
  const parts = [`job ${job.id}`, state, toCustomerText(job), toAddressLine(job.address)];
  return parts.filter((part) => part !== "").join(", ");
}

/** `12 stops, A1, A2 and 10 more, 3 late`. */
function describeCluster({ members }: Sign): string {
  const marks = members.slice(0, namedMax).map(({ mark }) => mark);
  const others = members.length - marks.length;
  const late = members.filter(({ job }) => job.is_late).length;
  const list = `${marks.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
  return `${members.length} stops, ${list}${late > 0 ? `, ${late} late` : ""}`;
}

const namedMax = 8;
