// The scrolling list of rows. Only rows near the viewport are in the DOM.

import { ArrowDown } from "lucide-react";
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { Pending } from "../../protocol/question.ts";
import { useWords } from "../language.ts";
import { useFollowing } from "./following.ts";
import { RowView } from "./row.tsx";
import type { Row } from "./row-kinds.ts";
import styles from "./transcript.module.css";
import { WORDS } from "./words.ts";

/** The initial distance from the viewport, in px, within which rows are mounted. */
const AT_ONCE = 600;
/** Up to this number, all rows are mounted step by step, so that the search of the browser finds everything. */
const FEW = 200;
/** The distance doubles every `BUFFER_GROWTH_MS` until it exceeds `MAX_BUFFER_PX`. */
const STEP_MS = 250;
const EVERYTHING = 300_000;

const renderRow = (row: Row) => <RowView key={row.key} row={row} />;

export type TranscriptHandle = {
  /** Scrolls to a question, which mounts it. */
  readonly bring: (asked: Pending) => void;
};

export function Transcript({
  rows,
  handle,
}: {
  readonly rows: readonly Row[];
  readonly handle: Ref<TranscriptHandle>;
}) {
  const say = useWords(WORDS);
  const list = useRef<VirtualizerHandle>(null);
  const { scroller, follow, onScroll, seen, jump } = useFollowing(rows);
  const reach = useReach(rows.length <= FEW);
  const asking = useMemo(() => rows.flatMap((row, i) => (isAsking(row) ? i : [])), [rows]);
  useImperativeHandle(
    handle,
    () => ({ bring: (asked) => list.current?.scrollToIndex(indexOf(rows, asked), { align: "center" }) }),
    [rows],
  );
  const hasNew = seen !== null && rows.length > seen;
  return (
    <div className={styles["transcript"]}>
      <div
        ref={scroller}
        className={styles["scroller"]}
        role="log"
        aria-live="off"
        aria-label={say("transcript")}
        // Keyboard users can scroll it only if it takes the focus.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={rows}
          onScroll={onScroll}
          onResize={follow}
          bufferSize={reach}
          // Questions stay mounted, so that an answer in progress survives scrolling.
          keepMounted={asking}
        >
          {renderRow}
        </Virtualizer>
      </div>
      {seen === null ? null : (
        <button type="button" className={styles["jump"]} onClick={jump}>
          <ArrowDown size={16} aria-hidden />
          {say(hasNew ? "jumpNew" : "jump")}
          {hasNew ? <span className={styles["dot"]} aria-hidden /> : null}
        </button>
      )}
    </div>
  );
}

/** Returns the index of the row that shows the question, its own or that of its plan; -1 if there is none. */
function indexOf(rows: readonly Row[], { request_id, task_id }: Pending): number {
  return rows.findLastIndex(
    (row) =>
      (row.kind === "question" && row.item.payload["request_id"] === request_id) ||
      (row.kind === "plan" && row.plan.tasks.length > 1 && row.plan.tasks.some((task) => task.task_id === task_id)),
  );
}

function isAsking(row: Row): boolean {
  return (
    row.kind === "question" || (row.kind === "plan" && row.plan.tasks.some(({ status }) => status === "waiting_input"))
  );
}

/** Returns the distance from the viewport, in px, within which rows are mounted. */
function useReach(isAll: boolean): number {
  const [reach, setReach] = useState(AT_ONCE);
  useEffect(() => {
    if (!isAll || reach > EVERYTHING) return;
    const timer = setTimeout(() => setReach(reach * 2), STEP_MS);
    return () => clearTimeout(timer);
  }, [isAll, reach]);
  return isAll ? reach : AT_ONCE;
}
