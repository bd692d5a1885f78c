// Keeps the view of a workflow instance current.
//
// The hook owns one connection to the conversation of the instance while it is mounted, and a timer. After events,
// except those of streamed text, it publishes the view and refetches the instance, at most once per
// `REFRESH_INTERVAL_MS` and always after the last event. `answer` and `cancel` reject with an `AbortError` if there is
// no connection; the other commands have no effect.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { connect, type Connection, type ConnectionState } from "../../client/connect.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { EMPTY_VIEW, type View } from "../../protocol/view.ts";
import type { Talk } from "../chat/talk.ts";
import { RUNTIME } from "../runtime.ts";
import { onReturn } from "../shell/reach.ts";

const SETTLE_MS = 200;
const IGNORED = () => {};
/** Events of streamed text do not change the instance. */
const WORD_BY_WORD: ReadonlySet<string> = new Set([
  "message_chunk",
  "reasoning_started",
  "reasoning",
  "reasoning_completed",
]);

/** Returns the conversation of the instance, as the value of the conversation context. */
export function useLive(instanceId: string, conversationId: string): Talk {
  const queries = useQueryClient();
  const [heard, setHeard] = useState<{ readonly view: View; readonly state: ConnectionState }>({
    view: EMPTY_VIEW,
    state: { status: "connecting" },
  });
  const line = useRef<Connection>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Runs at most once per interval, and once after the last event.
    const settle = () => {
      timer = undefined;
      const { view, state } = opened;
      setHeard({ view, state });
      if (view.isCaughtUp) void queries.invalidateQueries({ queryKey: ["instance", instanceId] });
    };
    const ask = () => {
      timer ??= setTimeout(settle, SETTLE_MS);
    };
    const onFrame = (frame: ServerFrame) => {
      if (!("event" in frame) || !WORD_BY_WORD.has(frame.event)) ask();
    };
    const opened = connect({ ...RUNTIME, conversationId, onFrame, onReset: ask, onState: ask });
    line.current = opened;
    const leave = onReturn(() => opened.retry());
    return () => {
      leave();
      clearTimeout(timer);
      opened.close();
      line.current = undefined;
    };
  }, [conversationId, instanceId, queries]);
  return useMemo(() => {
    const mustBeOpen = (): Connection => {
      if (line.current === undefined) throw new DOMException("The conversation is closed", "AbortError");
      return line.current;
    };
    return {
      id: conversationId,
      ...heard,
      outgoing: [],
      // A workflow accepts only answers, no messages.
      send: IGNORED,
      edit: IGNORED,
      retry: IGNORED,
      discard: () => "",
      answer: async (message, options) => void (await mustBeOpen().resume(message, options)),
      cancel: async (target) => void (await mustBeOpen().cancel(target)),
    };
  }, [conversationId, heard]);
}
