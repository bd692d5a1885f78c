// Staying at the end of what grows, for whoever is there.

import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { Row } from "./row-kinds.ts";

/** Closer to the end than this, in pixels, somebody counts as being there. */
const NEAR = 64;
/** From here on the way back is offered. */
const FAR = 240;
/** Whoever touched the wheel, the keys or the screen this long ago still scrolls, in milliseconds. */
const BY_HAND_MS = 300;

function isMarked(element: HTMLElement): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode);
}

const HANDS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
const LETS_GO = ["pointerup", "pointercancel"] as const;

/**
 * `isByHand`: somebody scrolls at the moment, and not the page by itself. `isHeld`: a pointer is down on the rows; what is
 * marked with it does not run away.
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
 * Keeps the end in sight for whoever is there, and lets everybody else read: who scrolls up is not pulled down until they
 * come back. `seen` is how many rows there were when they left the end; null while they are near it.
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
