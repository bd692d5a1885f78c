// Everything that was said, of which only what is near the screen is in the page.

import { ArrowDown } from "lucide-react";
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type Ref,
  type RefObject,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { Pending } from "../../protocol/question.ts";
import { useWords } from "../language.ts";
import { RowView } from "./row.tsx";
import type { Row } from "./rows.ts";
import styles from "./transcript.module.css";
import { WORDS } from "./words.ts";

/** Closer to the end than this, in pixels, somebody counts as being there. */
const NEAR = 64;
/** From here on the way back is offered. */
const FAR = 240;
/** Whoever touched the wheel, the keys or the screen this long ago still scrolls, in milliseconds. */
const BY_HAND_MS = 300;
/** What is near the screen is in the page at once, in pixels. */
const AT_ONCE = 600;
/** So many rows are all in the page, a little later, so that the browser's own search and selection find everything. */
const FEW = 200;
/** How long before twice as much is put into the page, in milliseconds. */
const STEP_MS = 250;

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
  const reach = useReach(rows.length <= FEW, scroller);
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
        // Keyboards scroll it, so it has to take the focus.
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
          // What is being written as an answer stays, wherever one scrolls.
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

/** Where the question stands: by itself, or within the card of its plan. */
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

/** How far around the screen rows are in the page. */
function useReach(isAll: boolean, scroller: RefObject<HTMLElement | null>): number {
  const [reach, setReach] = useState(AT_ONCE);
  useEffect(() => {
    if (!isAll || reach > (scroller.current?.scrollHeight ?? 0)) return;
    const timer = setTimeout(() => setReach(reach * 2), STEP_MS);
    return () => clearTimeout(timer);
  }, [isAll, reach, scroller]);
  return isAll ? reach : AT_ONCE;
}

const HANDS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Tells whether somebody scrolls at the moment, and not the page by itself. */
function useHand(scroller: RefObject<HTMLElement | null>): () => boolean {
  const touchedAt = useRef(0);
  useEffect(() => {
    const element = scroller.current;
    const note = () => void (touchedAt.current = performance.now());
    for (const hand of HANDS) element?.addEventListener(hand, note, { passive: true });
    return () => {
      for (const hand of HANDS) element?.removeEventListener(hand, note);
    };
  }, [scroller]);
  return useCallback(() => performance.now() - touchedAt.current < BY_HAND_MS, []);
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
  const isByHand = useHand(scroller);
  const look = useCallback((element: HTMLElement, offset: number) => {
    const isAway = !isFollowing.current && element.scrollHeight - element.clientHeight - offset > FAR;
    setSeen((before) => (isAway ? (before ?? count.current) : null));
  }, []);
  const follow = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    if (isFollowing.current) element.scrollTop = element.scrollHeight;
    else look(element, element.scrollTop);
  }, [look]);
  const onScroll = useCallback(
    (offset: number) => {
      const element = scroller.current;
      if (element === null) return;
      const left = element.scrollHeight - element.clientHeight - offset;
      const isUp = offset < lastOffset.current - 1 && left > 1;
      // A hand that goes up only a little does not want to be pulled back either.
      if (isUp && (isByHand() || left >= NEAR)) isFollowing.current = false;
      else if (left < NEAR && !isUp) isFollowing.current = true;
      lastOffset.current = offset;
      look(element, offset);
    },
    [look, isByHand],
  );
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
