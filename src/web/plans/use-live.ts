// An instance that stays true: it is asked for again when its conversation tells that something has happened.

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
/** What is said word by word changes nothing of how an instance stands. */
const WORD_BY_WORD: ReadonlySet<string> = new Set([
  "message_chunk",
  "reasoning_started",
  "reasoning",
  "reasoning_completed",
]);

/** The conversation of an instance, for those parts of one that stand in its view. */
export function useLive(instanceId: string, conversationId: string): Talk {
  const queries = useQueryClient();
  const [heard, setHeard] = useState<{ readonly view: View; readonly state: ConnectionState }>({
    view: EMPTY_VIEW,
    state: { status: "connecting" },
  });
  const line = useRef<Connection>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // At most this often, and always once after the last word.
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
      // Nobody speaks in a plan but by answers.
      send: IGNORED,
      edit: IGNORED,
      retry: IGNORED,
      discard: () => "",
      answer: async (message, options) => void (await mustBeOpen().resume(message, options)),
      cancel: async (target) => void (await mustBeOpen().cancel(target)),
    };
  }, [conversationId, heard]);
}
