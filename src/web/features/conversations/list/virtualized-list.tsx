// Virtualized version of the conversation list, for many rows.

import type { RefObject } from "react";
import { Virtualizer } from "virtua";
import { ConversationListRowView, type ConversationListState } from "./conversation-list-row.tsx";
import type { ConversationListRow } from "./conversation-list-rows.ts";

/** Mounts only the rows near the viewport, and the row of the open conversation. */
export function VirtualizedList({
  rows,
  state,
  scroller,
  startMargin,
}: {
  readonly rows: readonly ConversationListRow[];
  readonly state: ConversationListState;
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
      {(row) => <ConversationListRowView key={row.key} row={row} state={state} />}
    </Virtualizer>
  );
}
