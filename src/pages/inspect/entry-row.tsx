import { Component, type JSX } from "preact";
import type { Entry } from "./create-feed.ts";
import { toCell } from "./to-visible.ts";

/** A column of a list. */
export interface Column<T> {
  /** Also the name of its style. */
  name: string;
  title: string;
  textOf(item: T): unknown;
  /** Further styles of the cell. */
  lookOf?(item: T): string;
}

/** How a row is found by its entry. */
export const toRowId = (id: string): string => `row-${id}`;

interface RowOf {
  entry: Entry<unknown>;
  columns: readonly Column<unknown>[];
  isActive: boolean;
  isChosen: boolean;
}

/** Drawn again only when it has changed: a list of a thousand must not cost a thousand rows with each that arrives. */
export class EntryRow extends Component<RowOf> {
  override shouldComponentUpdate(next: RowOf): boolean {
    const { entry, isActive, isChosen } = this.props;
    return entry !== next.entry || isActive !== next.isActive || isChosen !== next.isChosen;
  }

  override render({ columns, entry: { id, item }, isActive, isChosen }: RowOf): JSX.Element {
    return (
      <div
        class="row"
        id={toRowId(id)}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        data-active={isActive}
      >
        {columns.map(({ lookOf, name, textOf }) => (
          <span key={name} class={`${name} ${lookOf?.(item) ?? ""}`}>
            {toCell(textOf(item))}
          </span>
        ))}
      </div>
    );
  }
}
