// The making of a page as a component follows it: begin, hear, stop.

import { useCallback, useEffect, useRef, useState } from "react";
import type { Blueprint } from "../../protocol/blueprint.ts";
import { toFault } from "../../protocol/fault.ts";
import type { PageEvent } from "../../protocol/page.ts";
import { begun, heard, type Building, type Outcome } from "./building.ts";

export type Build =
  | { readonly status: "idle" }
  | { readonly status: "running"; readonly building: Building }
  | { readonly status: "stopped" }
  /** `words` is null when the stream ended without saying how. */
  | { readonly status: "failed"; readonly building: Building; readonly words: string | null };

export type Builder = {
  readonly build: Build;
  readonly start: (events: AsyncGenerator<PageEvent, void>, blueprint: Blueprint | undefined) => void;
  readonly stop: () => void;
};

/** `onDone` hears of every page that is there in the end; then the build is idle again. */
export function useBuild(onDone: (outcome: Outcome) => Promise<void>): Builder {
  const [build, setBuild] = useState<Build>({ status: "idle" });
  const running = useRef<AsyncGenerator<PageEvent, void> | null>(null);
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  const leave = useCallback(() => {
    const events = running.current;
    running.current = null;
    // It answers once what is being read has come or has been given up, which nobody waits for.
    events?.return().catch(() => {});
  }, []);
  useEffect(() => leave, [leave]);
  const start = useCallback(
    (events: AsyncGenerator<PageEvent, void>, blueprint: Blueprint | undefined) => {
      leave();
      running.current = events;
      const isMine = () => running.current === events;
      const show = (next: Build) => {
        if (isMine()) setBuild(next);
      };
      void (async () => {
        let building = begun(blueprint);
        show({ status: "running", building });
        try {
          for await (const event of events) {
            if (!isMine()) return;
            building = heard(building, event);
            show({ status: "running", building });
          }
        } catch (error) {
          return show({ status: "failed", building, words: toFault(error).message });
        }
        const { outcome } = building;
        if (outcome === null || outcome.page === null)
          return show({ status: "failed", building, words: outcome?.words ?? null });
        if (isMine()) await done.current(outcome);
        show({ status: "idle" });
      })();
    },
    [leave],
  );
  const stop = useCallback(() => {
    leave();
    setBuild({ status: "stopped" });
  }, [leave]);
  return { build, start, stop };
}
