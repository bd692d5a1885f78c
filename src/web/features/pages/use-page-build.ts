// Runs the generation of a page for a component: start, stop, retry.
// At most one build runs at a time; a new one replaces it. After a build is stopped or replaced, or the component is
// unmounted, its further events are ignored.

import { useCallback, useEffect, useRef, useState } from "react";
import type { Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageEvent, PageSpec } from "../../../protocol/pages/page.ts";
import { createPageProgress, applyPageEvent, type PageProgress, type PageOutcome } from "./page-progress.ts";
import { toUserError } from "../../session/user-error.ts";

type PageBuildStatus =
  | { readonly status: "idle" }
  | { readonly status: "running"; readonly building: PageProgress }
  | { readonly status: "stopped" }
  /** `words` is null if the stream ended without a result. */
  | { readonly status: "failed"; readonly building: PageProgress; readonly words: string | null };

type PageBuildRequest = {
  /** Sends the request and yields the events of the build. */
  readonly createEvents: () => AsyncGenerator<PageEvent, void>;
  readonly blueprint?: Blueprint | undefined;
  /** The page that is shown until its blocks are replaced. */
  readonly before?: PageSpec | undefined;
};

export type PageBuilder = {
  readonly build: PageBuildStatus;
  /** Starts a build in place of a running build. */
  readonly start: (request: PageBuildRequest) => void;
  /** Stops the build; its blocks are dropped. */
  readonly stop: () => void;
  /** Repeats the last request; does nothing if there is none. */
  readonly restart: () => void;
};

/**
 * Returns the builder of a component, initially idle. `onDone` is called with every finished page and must not reject;
 * when it resolves, the state is idle.
 */
export function usePageBuild(onDone: (outcome: PageOutcome) => Promise<void>): PageBuilder {
  const [build, setBuild] = useState<PageBuildStatus>({ status: "idle" });
  const last = useRef<PageBuildRequest | null>(null);
  const running = useRef<AsyncGenerator<PageEvent, void> | null>(null);
  const onDoneRef = useRef(onDone);
  useEffect(() => {
    onDoneRef.current = onDone;
  });
  const detach = useCallback(() => {
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
      detach();
    };
  }, [detach]);
  const start = useCallback(
    (request: PageBuildRequest) => {
      detach();
      // The component may have been unmounted while the caller waited.
      if (!isShown.current) return;
      last.current = request;
      const events = request.createEvents();
      running.current = events;
      const show = (next: PageBuildStatus) => {
        if (running.current === events) setBuild(next);
      };
      void followBuild(events, createPageProgress(request.blueprint, request.before), show).then(async (end) => {
        if ("page" in end && running.current === events) await onDoneRef.current(end);
        show("page" in end ? { status: "idle" } : end);
      });
    },
    [detach],
  );
  const stop = useCallback(() => {
    detach();
    setBuild({ status: "stopped" });
  }, [detach]);
  const restart = useCallback(() => {
    if (last.current !== null) start(last.current);
  }, [start]);
  return { build, start, stop, restart };
}

type FailedPageBuild = Extract<PageBuildStatus, { status: "failed" }>;

/** Folds all events and returns the outcome. Never rejects. */
async function followBuild(
  events: AsyncGenerator<PageEvent, void>,
  first: PageProgress,
  show: (build: PageBuildStatus) => void,
): Promise<PageOutcome | FailedPageBuild> {
  let building = first;
  show({ status: "running", building });
  try {
    for await (const event of events) {
      building = applyPageEvent(building, event);
      show({ status: "running", building });
    }
  } catch (error) {
    return { status: "failed", building, words: toUserError(error).message };
  }
  const { outcome } = building;
  if (outcome === null || outcome.page === null) return { status: "failed", building, words: outcome?.words ?? null };
  return outcome;
}
