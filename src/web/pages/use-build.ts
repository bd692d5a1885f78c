// Runs the generation of a page for a component: start, stop, retry.
// At most one build runs at a time; a new one replaces it. After a build is stopped or replaced, or the component is
// unmounted, its further events are ignored.

import { useCallback, useEffect, useRef, useState } from "react";
import type { Blueprint } from "../../protocol/blueprint.ts";
import type { PageEvent, PageSpec } from "../../protocol/page.ts";
import { begun, heard, type Building, type Outcome } from "./building.ts";
import { refusalOf } from "../refusal.ts";

export type Build =
  | { readonly status: "idle" }
  | { readonly status: "running"; readonly building: Building }
  | { readonly status: "stopped" }
  /** `words` is null if the stream ended without a result. */
  | { readonly status: "failed"; readonly building: Building; readonly words: string | null };

export type Order = {
  readonly make: () => AsyncGenerator<PageEvent, void>;
  readonly blueprint?: Blueprint | undefined;
  /** The page that is shown until its blocks are replaced. */
  readonly before?: PageSpec | undefined;
};

export type Builder = {
  readonly build: Build;
  readonly start: (order: Order) => void;
  readonly stop: () => void;
  /** Repeats the last build. */
  readonly again: () => void;
};

/** `onDone` is called with every finished page; afterwards the state is idle. */
export function useBuild(onDone: (outcome: Outcome) => Promise<void>): Builder {
  const [build, setBuild] = useState<Build>({ status: "idle" });
  const last = useRef<Order | null>(null);
  const running = useRef<AsyncGenerator<PageEvent, void> | null>(null);
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  const leave = useCallback(() => {
    const events = running.current;
    running.current = null;
    // `return()` settles after the pending read is cancelled; nobody waits for it.
    events?.return().catch(() => {});
  }, []);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      leave();
    };
  }, [leave]);
  const start = useCallback(
    (order: Order) => {
      leave();
      // The component may have been unmounted while the caller waited.
      if (!isShown.current) return;
      last.current = order;
      const events = order.make();
      running.current = events;
      const show = (next: Build) => {
        if (running.current === events) setBuild(next);
      };
      void follow(events, begun(order.blueprint, order.before), show).then(async (end) => {
        if ("page" in end && running.current === events) await done.current(end);
        show("page" in end ? { status: "idle" } : end);
      });
    },
    [leave],
  );
  const stop = useCallback(() => {
    leave();
    setBuild({ status: "stopped" });
  }, [leave]);
  const again = useCallback(() => {
    if (last.current !== null) start(last.current);
  }, [start]);
  return { build, start, stop, again };
}

type Failed = Extract<Build, { status: "failed" }>;

/** Folds all events and returns the outcome. Never rejects. */
async function follow(
  events: AsyncGenerator<PageEvent, void>,
  first: Building,
  show: (build: Build) => void,
): Promise<Outcome | Failed> {
  let building = first;
  show({ status: "running", building });
  try {
    for await (const event of events) {
      building = heard(building, event);
      show({ status: "running", building });
    }
  } catch (error) {
    return { status: "failed", building, words: refusalOf(error).message };
  }
  const { outcome } = building;
  if (outcome === null || outcome.page === null) return { status: "failed", building, words: outcome?.words ?? null };
  return outcome;
}
