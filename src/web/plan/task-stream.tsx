import { useLayoutEffect, useRef, useState } from "react";
import type { Item } from "../../protocol/items.ts";
import type { TaskStatus } from "../../protocol/plan.ts";
import { isLive } from "../chat/live.ts";
import { StepOf } from "../chat/step.tsx";
import { isStep, useStepsHidden } from "../chat/steps-hidden.ts";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { NEWEST } from "./streams.ts";
import styles from "./task-stream.module.css";
import { WORDS } from "./words.ts";

/** Within this distance in px from its end, the stream keeps following its end. */
const NEAR = 48;

/** The items of a task. While it runs they scroll in a frame, so that parallel tasks do not move each other. */
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
  const say = useWords(WORDS);
  const [showsAll, setShowsAll] = useState(false);
  const isRunning = status === "running" || status === "retrying";
  const frame = useFollowing(items, isRunning);
  const hidesSteps = useStepsHidden();
  const said = hidesSteps ? items.filter((item) => !isStep(item)) : items;
  const shown = showsAll ? said : said.slice(-NEWEST);
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
      {shown.length === said.length ? null : (
        <Button look="quiet" onClick={() => setShowsAll(true)}>
          {say("showAll", { n: said.length })}
        </Button>
      )}
      {shown.map((item) => (
        <StepOf key={item.item_id} item={item} isLive={isLive(item, item === items.at(-1), isRunning)} />
      ))}
      {isRunning && items.length === 0 ? <p className={styles["working"]}>{say("working")}</p> : null}
    </section>
  );
}

/** Keeps the end visible while the task runs, unless the reader has scrolled up. Returns the ref of the frame. */
function useFollowing(items: readonly Item[], isRunning: boolean) {
  const frame = useRef<HTMLElement>(null);
  const isNear = useRef(true);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null || !isRunning) return;
    const note = () => {
      isNear.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  }, [isRunning]);
  useLayoutEffect(() => {
    if (isRunning && isNear.current) frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, [items, isRunning]);
  return frame;
}
