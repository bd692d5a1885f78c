// Keeps a growing list scrolled to its end.
//
// The hook owns the scroll state of one list: the list follows its end until the reader scrolls up, and again when the
// reader comes back to the end or sends a message. Only input events of the reader count as scrolling up close to the
// end, because layout changes also produce scroll events. While a pointer is down, the list does not move, so that text
// can be selected; a selection stops following.

import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { Row } from "./row-kinds.ts";

/** Within this distance in px the reader is at the end. */
const NEAR = 64;
/** Beyond this distance in px the button that jumps to the end is shown. */
const FAR = 240;
/** A scroll event within this many ms after an input event was caused by the reader. */
const BY_HAND_MS = 300;

function isMarked(element: HTMLElement): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode);
}

const HANDS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
const LETS_GO = ["pointerup", "pointercancel"] as const;

/**
 * Tracks input on the scroller. `isByHand` returns true while the reader scrolls; `isHeld` returns true while a pointer
 * is down on the rows. `onMarked` is called when the pointer is released and text is selected.
 */
function useHand(scroller: RefObject<HTMLElement | null>, onMarked: () => void) {
  const touchedAt = useRef(0);
  const held = useRef(false);
  useEffect(() => {
    const element = scroller.current;
    const note = ({ type }: Event) => {
      touchedAt.current = performance.now();
      if (type === "pointerdown") held.current = true;
    };
    const letGo = () => {
      if (held.current && element !== null && isMarked(element)) onMarked();
      held.current = false;
    };
    for (const hand of HANDS) element?.addEventListener(hand, note, { passive: true });
    for (const end of LETS_GO) addEventListener(end, letGo);
    return () => {
      for (const hand of HANDS) element?.removeEventListener(hand, note);
      for (const end of LETS_GO) removeEventListener(end, letGo);
    };
  }, [scroller, onMarked]);
  const isByHand = useCallback(() => performance.now() - touchedAt.current < BY_HAND_MS, []);
  const isHeld = useCallback(() => held.current, []);
  return { isByHand, isHeld };
}

/**
 * Returns the ref of the scroller and its handlers. `follow` must be called when the content grows. `seen` is the
 * number of rows when the reader left the end, or null while the reader is near it. `jump` scrolls to the end.
 */
export function useFollowing(rows: readonly Row[]) {
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const lastOffset = useRef(0);
  const count = useRef(rows.length);
  const [seen, setSeen] = useState<number | null>(null);
  const leave = useCallback(() => void (isFollowing.current = false), []);
  const { isByHand, isHeld } = useHand(scroller, leave);
  const look = useCallback((element: HTMLElement, offset: number) => {
    const isAway = !isFollowing.current && element.scrollHeight - element.clientHeight - offset > FAR;
    setSeen((before) => (isAway ? (before ?? count.current) : null));
  }, []);
  const follow = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    if (isFollowing.current && !isHeld()) element.scrollTop = element.scrollHeight;
    else look(element, element.scrollTop);
  }, [look, isHeld]);
  const onScroll = useCallback(
    (offset: number) => {
      const element = scroller.current;
      if (element === null) return;
      const left = element.scrollHeight - element.clientHeight - offset;
      const isUp = offset < lastOffset.current - 1 && left > 1;
      // A short scroll up by the reader stops following, too.
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
  // After sending, show the end.
  useLayoutEffect(() => {
    if (newest !== undefined) jump();
  }, [jump, newest]);
  return { scroller, follow, onScroll, seen, jump };
}
