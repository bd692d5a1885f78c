// Keeps a growing list scrolled to its end.
//
// The hook owns the scroll state of one list: the list follows its end until the reader scrolls up, and again when the
// reader comes back to the end or sends a message. Only input events of the reader count as scrolling up close to the
// end, because layout changes also produce scroll events. While a pointer is down, the list does not move, so that text
// can be selected; a selection stops following.

import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { TranscriptRow } from "./transcript-row.ts";

/** Within this distance in px the reader is at the end. */
const NEAR_END_PX = 64;
/** Beyond this distance in px the button that jumps to the end is shown. */
const FAR_FROM_END_PX = 240;
/** A scroll event within this many ms after an input event was caused by the reader. */
const USER_SCROLL_MS = 300;

function hasSelection(element: HTMLElement): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode);
}

const USER_INPUT_EVENTS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
const POINTER_END_EVENTS = ["pointerup", "pointercancel"] as const;

/**
 * Tracks input on the scroller. `isReaderScrolling` returns true for `USER_SCROLL_MS` after an input event; `isPressed`
 * returns true while a pointer is down on the rows. `onMarked` is called when the pointer is released and text is
 * selected.
 */
function useScrollInput(scroller: RefObject<HTMLElement | null>, onMarked: () => void) {
  const lastInputAt = useRef(0);
  const isPointerDown = useRef(false);
  useEffect(() => {
    const element = scroller.current;
    const recordInput = ({ type }: Event) => {
      lastInputAt.current = performance.now();
      if (type === "pointerdown") isPointerDown.current = true;
    };
    const handlePointerEnd = () => {
      if (isPointerDown.current && element !== null && hasSelection(element)) onMarked();
      isPointerDown.current = false;
    };
    for (const type of USER_INPUT_EVENTS) element?.addEventListener(type, recordInput, { passive: true });
    for (const end of POINTER_END_EVENTS) addEventListener(end, handlePointerEnd);
    return () => {
      for (const type of USER_INPUT_EVENTS) element?.removeEventListener(type, recordInput);
      for (const end of POINTER_END_EVENTS) removeEventListener(end, handlePointerEnd);
    };
  }, [scroller, onMarked]);
  const isReaderScrolling = useCallback(() => performance.now() - lastInputAt.current < USER_SCROLL_MS, []);
  const isPressed = useCallback(() => isPointerDown.current, []);
  return { isReaderScrolling, isPressed };
}

/**
 * Returns the ref of the scroller and its handlers. `follow` must be called when the content grows, `onScroll` with the
 * offset in px after every scroll. `seen` is the number of rows when the reader left the end, or null while the reader
 * is near it. `jump` scrolls to the end and follows it again.
 */
export function useFollowEnd(rows: readonly TranscriptRow[]) {
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const lastOffset = useRef(0);
  const count = useRef(rows.length);
  const [seen, setSeen] = useState<number | null>(null);
  const stopFollowing = useCallback(() => void (isFollowing.current = false), []);
  const { isReaderScrolling, isPressed } = useScrollInput(scroller, stopFollowing);
  const updateSeen = useCallback((element: HTMLElement, offset: number) => {
    const isAway = !isFollowing.current && element.scrollHeight - element.clientHeight - offset > FAR_FROM_END_PX;
    setSeen((before) => (isAway ? (before ?? count.current) : null));
  }, []);
  const follow = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    if (isFollowing.current && !isPressed()) element.scrollTop = element.scrollHeight;
    else updateSeen(element, element.scrollTop);
  }, [updateSeen, isPressed]);
  const onScroll = useCallback(
    (offset: number) => {
      const element = scroller.current;
      if (element === null) return;
      const left = element.scrollHeight - element.clientHeight - offset;
      const isUp = offset < lastOffset.current - 1 && left > 1;
      // A short scroll up by the reader stops following, too.
      if (isUp && (isReaderScrolling() || left >= NEAR_END_PX)) isFollowing.current = false;
      else if (left < NEAR_END_PX && !isUp) isFollowing.current = true;
      lastOffset.current = offset;
      updateSeen(element, offset);
    },
    [updateSeen, isReaderScrolling],
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
  // After sending, show the end.
  useLayoutEffect(() => {
    if (newest !== undefined) jump();
  }, [jump, newest]);
  return { scroller, follow, onScroll, seen, jump };
}
