// The scrolling list of rows. Only rows near the viewport are in the DOM.

import { ArrowDown } from "lucide-react";
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { PendingQuestion } from "../../../../protocol/wire/question.ts";
import { useMessages } from "../../../session/language.ts";
import { useFollowEnd } from "./use-follow-end.ts";
import { TranscriptRowView } from "./transcript-row-view.tsx";
import type { TranscriptRow } from "./transcript-row.ts";
import styles from "./transcript.module.css";

/** The initial distance from the viewport, in px, within which rows are mounted. */
const INITIAL_BUFFER_PX = 600;
/** Up to this number, all rows are mounted step by step, so that the search of the browser finds everything. */
const MAX_FULLY_MOUNTED_ROWS = 200;
/** The distance doubles every `BUFFER_GROWTH_MS` until it exceeds `MAX_BUFFER_PX`. */
const BUFFER_GROWTH_MS = 250;
const MAX_BUFFER_PX = 300_000;

const renderRow = (row: TranscriptRow) => <TranscriptRowView key={row.key} row={row} />;

export type TranscriptHandle = {
  /** Scrolls to the row of a question, so that it is mounted. Does nothing if no row shows it. */
  readonly mountQuestion: (asked: PendingQuestion) => void;
};

/** Follows its end until the reader scrolls up; then a button jumps to the end. */
export function Transcript({
  rows,
  handle,
}: {
  readonly rows: readonly TranscriptRow[];
  readonly handle: Ref<TranscriptHandle>;
}) {
  const t = useMessages("chat");
  const list = useRef<VirtualizerHandle>(null);
  const { scroller, follow, onScroll, seen, jump } = useFollowEnd(rows);
  const bufferSize = useBufferSize(rows.length <= MAX_FULLY_MOUNTED_ROWS);
  const questionIndexes = useMemo(() => rows.flatMap((row, i) => (containsQuestion(row) ? i : [])), [rows]);
  useImperativeHandle(
    handle,
    () => ({
      mountQuestion: (asked) => list.current?.scrollToIndex(findQuestionRow(rows, asked), { align: "center" }),
    }),
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
        aria-label={t("transcript")}
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
          bufferSize={bufferSize}
          // Questions stay mounted, so that an answer in progress survives scrolling.
          keepMounted={questionIndexes}
        >
          {renderRow}
        </Virtualizer>
      </div>
      {seen === null ? null : (
        <button type="button" className={styles["jump"]} onClick={jump}>
          <ArrowDown size={16} aria-hidden />
          {t(hasNew ? "newMessages" : "jumpToLatest")}
          {hasNew ? <span className={styles["dot"]} aria-hidden /> : null}
        </button>
      )}
    </div>
  );
}

/** Returns the index of the row that shows the question, its own or that of its plan; -1 if there is none. */
function findQuestionRow(rows: readonly TranscriptRow[], { request_id, task_id }: PendingQuestion): number {
  return rows.findLastIndex(
    (row) =>
      (row.kind === "question" && row.item.payload["request_id"] === request_id) ||
      (row.kind === "plan" && row.plan.tasks.length > 1 && row.plan.tasks.some((task) => task.task_id === task_id)),
  );
}

function containsQuestion(row: TranscriptRow): boolean {
  return (
    row.kind === "question" || (row.kind === "plan" && row.plan.tasks.some(({ status }) => status === "waiting_input"))
  );
}

/** Returns the distance from the viewport, in px, within which rows are mounted. */
function useBufferSize(isAll: boolean): number {
  const [size, setSize] = useState(INITIAL_BUFFER_PX);
  useEffect(() => {
    if (!isAll || size > MAX_BUFFER_PX) return;
    const timer = setTimeout(() => setSize(size * 2), BUFFER_GROWTH_MS);
    return () => clearTimeout(timer);
  }, [isAll, size]);
  return isAll ? size : INITIAL_BUFFER_PX;
}
