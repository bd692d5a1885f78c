import { useLayoutEffect, useRef, useState } from "react";
import type { Item } from "../../../../protocol/wire/items.ts";
import type { TaskStatus } from "../../../../protocol/plans/task-plan.ts";
import { isItemLive } from "../state/step-values.ts";
import { ItemView } from "../items/item-view.tsx";
import { isStep, useStepsHidden } from "../state/shown-items.ts";
import { useMessages } from "../../../session/language.ts";
import { Button } from "../../../ui/button.tsx";
import { MAX_RECENT_ITEMS } from "./plan-facts.ts";
import styles from "./task-stream.module.css";

/** Within this distance in px from its end, the stream keeps following its end. */
const NEAR_END_PX = 48;

/**
 * The items of a task: the last `MAX_RECENT_ITEMS` until the reader asks for all, without steps if those are hidden.
 * While the task runs they scroll in a frame, so that parallel tasks do not move each other.
 */
export function TaskStream({
  id,
  items,
  status,
  label,
}: {
  readonly id: string;
  readonly items: readonly Item[];
  readonly status: TaskStatus;
  readonly label: string;
}) {
  const t = useMessages("taskPlan");
  const [showsAll, setShowsAll] = useState(false);
  const isRunning = status === "running" || status === "retrying";
  const frame = useFollowStreamEnd(items, isRunning);
  const hidesSteps = useStepsHidden();
  const visibleItems = hidesSteps ? items.filter((item) => !isStep(item)) : items;
  const shown = showsAll ? visibleItems : visibleItems.slice(-MAX_RECENT_ITEMS);
  return (
    // A scrolling frame must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section
      id={id}
      ref={frame}
      className={isRunning ? styles["running"] : styles["stream"]}
      aria-label={label}
      {...(isRunning ? { tabIndex: 0 } : {})}
    >
      {shown.length === visibleItems.length ? null : (
        <Button look="quiet" onClick={() => setShowsAll(true)}>
          {t("showAll", { n: visibleItems.length })}
        </Button>
      )}
      {shown.map((item) => (
        <ItemView key={item.item_id} item={item} isLive={isItemLive(item, item === items.at(-1), isRunning)} />
      ))}
      {isRunning && items.length === 0 ? <p className={styles["working"]}>{t("working")}</p> : null}
    </section>
  );
}

/** Keeps the end visible while the task runs, unless the reader has scrolled up. Returns the ref of the frame. */
function useFollowStreamEnd(items: readonly Item[], isRunning: boolean) {
  const frame = useRef<HTMLElement>(null);
  const isNear = useRef(true);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null || !isRunning) return;
    const updateNear = () => {
      isNear.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    };
    element.addEventListener("scroll", updateNear, { passive: true });
    return () => element.removeEventListener("scroll", updateNear);
  }, [isRunning]);
  useLayoutEffect(() => {
    if (isRunning && isNear.current) frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, [items, isRunning]);
  return frame;
}
