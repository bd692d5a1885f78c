// Everything that was said, of which only what is near the screen is in the page.

import { ArrowDown } from "lucide-react";
import { useCallback, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { Pending } from "../../protocol/question.ts";
import { useWords } from "../language.ts";
import { RowView } from "./row.tsx";
import type { Row } from "./rows.ts";
import styles from "./transcript.module.css";
import { WORDS } from "./words.ts";

/** Closer to the end than this, in pixels, somebody counts as being there. */
const NEAR = 32;
/** From here on the way back is offered. */
const FAR = 240;

const renderRow = (row: Row) => <RowView key={row.key} row={row} />;

export type TranscriptHandle = {
  /** Brings a question into the page. */
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
        // Keyboards scroll it, so it has to take the focus.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <Virtualizer ref={list} scrollRef={scroller} data={rows} onScroll={onScroll} onResize={follow} bufferSize={600}>
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

/** Where the question stands: by itself, or within the card of its plan. */
function indexOf(rows: readonly Row[], { request_id, task_id }: Pending): number {
  return rows.findLastIndex(
    (row) =>
      (row.kind === "question" && row.item.payload["request_id"] === request_id) ||
      (row.kind === "plan" && row.plan.tasks.length > 1 && row.plan.tasks.some((task) => task.task_id === task_id)),
  );
}

/**
 * Keeps the end in sight for whoever is there, and lets everybody else read: who scrolls up is not pulled down until they
 * come back. `seen` is how many rows there were when they left the end; null while they are near it.
 */
function useFollowing(rows: readonly Row[]) {
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const lastOffset = useRef(0);
  const count = useRef(rows.length);
  const [seen, setSeen] = useState<number | null>(null);
  const follow = useCallback(() => {
    const element = scroller.current;
    if (element !== null && isFollowing.current) element.scrollTop = element.scrollHeight;
  }, []);
  const onScroll = useCallback((offset: number) => {
    const element = scroller.current;
    if (element === null) return;
    const left = element.scrollHeight - element.clientHeight - offset;
    if (left < NEAR) isFollowing.current = true;
    else if (offset < lastOffset.current - 1) isFollowing.current = false;
    lastOffset.current = offset;
    const isAway = !isFollowing.current && left > FAR;
    setSeen((before) => (isAway ? (before ?? count.current) : null));
  }, []);
  const jump = useCallback(() => {
    isFollowing.current = true;
    follow();
  }, [follow]);
  useLayoutEffect(() => {
    count.current = rows.length;
    follow();
  }, [follow, rows]);
  const newest = rows.findLast((row) => row.kind === "outgoing")?.key;
  // Whoever says something wants to see what comes of it.
  useLayoutEffect(() => {
    if (newest !== undefined) jump();
  }, [jump, newest]);
  return { scroller, follow, onScroll, seen, jump };
}
