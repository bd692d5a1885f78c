// Keeps the view of a workflow instance current.
//
// The hook owns one connection to the conversation of the instance while it is mounted, and a timer. After events,
// except those of streamed text, it publishes the view and refetches the instance, at most once per
// `REFRESH_INTERVAL_MS` and always after the last event. `answer` and `cancel` reject with an `AbortError` if there is
// no connection; the other commands have no effect.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { connect, type Connection, type ConnectionState } from "../../../../client/connect.ts";
import type { ServerFrame } from "../../../../protocol/wire/server-frames.ts";
import { EMPTY_VIEW, type ConversationView } from "../../../../protocol/wire/view.ts";
import type { ConversationContextValue } from "../../conversations/state/conversation-context.ts";
import { API_OPTIONS } from "../../../session/full-api.ts";
import { onReconnectChance } from "../../../session/connectivity.ts";

const REFRESH_INTERVAL_MS = 200;
const doNothing = () => {};
/** Events of streamed text do not change the instance. */
const STREAMED_EVENTS: ReadonlySet<string> = new Set([
  "message_chunk",
  "reasoning_started",
  "reasoning",
  "reasoning_completed",
]);

/**
 * Returns the conversation of the instance, as the value of the conversation context; at first with an empty view. Each
 * update is a new object.
 */
export function useInstanceConversation(instanceId: string, conversationId: string): ConversationContextValue {
  const queries = useQueryClient();
  const [latest, setLatest] = useState<{ readonly view: ConversationView; readonly state: ConnectionState }>({
    view: EMPTY_VIEW,
    state: { status: "connecting" },
  });
  const connection = useRef<Connection>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Runs at most once per interval, and once after the last event.
    const refresh = () => {
      timer = undefined;
      const { view, state } = opened;
      setLatest({ view, state });
      if (view.isCaughtUp) void queries.invalidateQueries({ queryKey: ["instance", instanceId] });
    };
    const scheduleRefresh = () => {
      timer ??= setTimeout(refresh, REFRESH_INTERVAL_MS);
    };
    const onFrame = (frame: ServerFrame) => {
      if (!("event" in frame) || !STREAMED_EVENTS.has(frame.event)) scheduleRefresh();
    };
    const opened = connect({
      ...API_OPTIONS,
      conversationId,
      onFrame,
      onReset: scheduleRefresh,
      onState: scheduleRefresh,
    });
    connection.current = opened;
    const stopReturnListener = onReconnectChance(() => opened.retry());
    return () => {
      stopReturnListener();
      clearTimeout(timer);
      opened.close();
      connection.current = undefined;
    };
  }, [conversationId, instanceId, queries]);
  return useMemo(() => {
    const requireConnection = (): Connection => {
      if (connection.current === undefined) throw new DOMException("The conversation is closed", "AbortError");
      return connection.current;
    };
    return {
      id: conversationId,
      ...latest,
      outgoing: [],
      // A workflow accepts only answers, no messages.
      send: doNothing,
      edit: doNothing,
      retry: doNothing,
      discard: () => "",
      answer: async (message, options) => void (await requireConnection().resume(message, options)),
      cancel: async (target) => void (await requireConnection().cancel(target)),
    };
  }, [conversationId, latest]);
}
