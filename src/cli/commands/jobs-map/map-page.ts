import type { Board } from "../../../board/board.ts";
import { toAddressLine, toCustomerText } from "../../../board/job-words.ts";
import type { Stop } from "../../../board/routes.ts";
import { toWhen } from "../../../documents/job-words.ts";
import type { ZipCenters } from "../../../geography/zip-centers.ts";
import { toVisible } from "../../output/text.ts";
import { drawMap, toTitle } from "./draw-map.ts";
import { escapeMarkup } from "./escape-markup.ts";
import { type MapData, toMapData } from "./map-data.ts";

export function toMapPage(board: Board, centerOf: ZipCenters): string {
  const title = escapeMarkup(`Jobs of ${toTitle(board)} · ${board.tenant.name}`);
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style></head><body>`,
    drawMap(board, centerOf),
    ...board.locations.map((location) => toTables(toMapData(location, board, centerOf))),
    "</body></html>",
    "",
  ].join("\n");
}

const style = `
body{margin:0 auto;max-width:1240px;font:14px/1.4 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;background:#fff;color:#1f2937}
section{padding:0 20px}
h2{margin:24px 0 8px;font-size:18px}
table{border-collapse:collapse;width:100%;margin:0 0 18px}
caption{text-align:left;font-weight:600;padding:6px 0}
th,td{text-align:left;padding:3px 10px 3px 0;border-bottom:1px solid #e2e8f0;vertical-align:top}
th{font-weight:600;color:#6b7280}
td:first-child{white-space:nowrap;font-weight:600}
.late{color:#dc2626;font-weight:600}
.swatch{display:inline-block;width:10px;height:10px;border-radius:5px;margin-right:6px}
@media (prefers-color-scheme:dark){body{background:#0f172a;color:#e2e8f0}th,td{border-color:#334155}th{color:#94a3b8}.late{color:#f87171}}
@media print{@page{size:landscape;margin:10mm}body{background:#fff;color:#000}tr{break-inside:avoid}svg{break-after:page}}
`;

function toTables(data: MapData): string {
  const onMap = data.routes.filter(({ stops }) => stops.length > 0);
  const tables = onMap.map(({ color, name, stops }) => {
    const rows = stops.map((stop) => toRow(stop, data));
    const swatch = `<span class="swatch" style="background:${color}"></span>`;
    return toTable(`${swatch}<bdi>${escapeMarkup(name)}</bdi>`, rows);
  });
  if (data.placeless.length > 0) {
    const rows = data.placeless.map(({ job, mark }) => toRow({ job, mark }, data));
    tables.push(toTable("Not on the map: the address has no coordinates", rows));
  }
  return `<section><h2><bdi>${escapeMarkup(data.location.name)}</bdi></h2>${tables.join("\n")}</section>`;
}

const headings = ["Stop", "Job", "Type", "State", "Time", "Customer", "Address"];

function toTable(caption: string, rows: readonly string[]): string {
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join("");
  return `<table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

function toRow({ job, mark }: Pick<Stop, "job" | "mark">, { approximate, view }: MapData): string {
  const name = toCustomerText(job);
  const state = job.is_late ? `${job.state}, <span class="late">late</span>` : job.state;
  const cells = [
    mark,
    String(job.id),
    isolate(job.type_name),
    state,
    toWhen(job, view).time ?? "",
    isolate(name),
    isolate((approximate.has(job.id) ? "~" : "") + toVisible(toAddressLine(job.address))),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

const isolate = (text: string) => `<bdi>${escapeMarkup(text)}</bdi>`;
