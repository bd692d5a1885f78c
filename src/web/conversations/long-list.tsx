// Virtualized version of the conversation list, for many rows.

import type { RefObject } from "react";
import { Virtualizer } from "virtua";
import { ListRow, type RowState } from "./row.tsx";
import type { Row } from "./rows.ts";

export function LongList({
  rows,
  state,
  scroller,
  startMargin,
}: {
  readonly rows: readonly Row[];
  readonly state: RowState;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Distance from the top of the scroll container to the list, in px. */
  readonly startMargin: number;
}) {
  const current = rows.findIndex(({ key }) => key === state.current);
  return (
    <Virtualizer
      as="ul"
      item="li"
      data={rows}
      scrollRef={scroller}
      startMargin={startMargin}
      keepMounted={current === -1 ? [] : [current]}
    >
      {(row) => <ListRow key={row.key} row={row} state={state} />}
    </Virtualizer>
  );
}
