import { signal } from "@preact/signals";
import type { BoardParts } from "../board-context.ts";

/** Has a job edited on its card; one that is being edited already stays so. */
export function editCard({ editing }: Pick<BoardParts, "editing">, { id }: { id: number }): void {
  if (!editing.value.has(id))
    editing.value = new Map([...editing.value, [id, signal<ReadonlyMap<string, string>>(new Map())]]);
}

/** Ends that. What was typed and not stored is gone. */
export function leaveCard({ editing }: Pick<BoardParts, "editing">, { id }: { id: number }): void {
  editing.value = new Map([...editing.value].filter(([edited]) => edited !== id));
}
