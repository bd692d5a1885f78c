// The view of one conversation. It is connected as long as it is mounted, and provides the conversation context.

import { useQueryClient } from "@tanstack/react-query";
import { ListTree } from "lucide-react";
import { memo, useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import type { SendCommand } from "../../../protocol/wire/commands.ts";
import type { PendingQuestion } from "../../../protocol/wire/question.ts";
import type { ConversationView } from "../../../protocol/wire/view.ts";
import { useStore } from "../../session/store.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { PendingBar } from "./question/pending-bar.tsx";
import { EmptyNotice, Loading } from "../../ui/notice.tsx";
import type { MenuItem } from "../../ui/overlay/menu.tsx";
import { showErrorToast } from "../../ui/toast.tsx";
import { AnswerAnnouncer } from "./transcript/answer-announcer.tsx";
import { Composer, type ComposerMode } from "./composer/composer.tsx";
import styles from "./conversation-pane.module.css";
import { getDraft } from "./state/draft-store.ts";
import { ConversationFrame, ModelNotice } from "./conversation-frame.tsx";
import { ConnectionBanner, UnreachableConversation } from "./connection-banner.tsx";
import {
  ConversationMenu,
  useConversationTitle,
  useConversationRecord,
  ParentConversationLink,
} from "./conversation-title.tsx";
import { useAgentNames } from "../agents/use-agents.ts";
import { createRowBuilder } from "./transcript/build-transcript-rows.ts";
import { setStepsHidden, useStepsHidden } from "./state/shown-items.ts";
import { createChatStore, type ChatStore } from "./state/chat-store.ts";
import {
  ConversationCommandsContext,
  ConversationContext,
  type ConversationCommands,
} from "./state/conversation-context.ts";
import { Transcript, type TranscriptHandle } from "./transcript/transcript.tsx";

/**
 * Shows the transcript and the message box; while the view loads, a placeholder; if the connection has failed finally,
 * `UnreachableConversation`. `id` must not change while it is mounted. A task conversation has no message box.
 */
export function ConversationPane({ id }: { readonly id: string }) {
  const t = useMessages("chat");
  const [store] = useState(() => createChatStore(id));
  const snapshot = useStore(store);
  useEffect(() => store.open(), [store]);
  const box = useRef<HTMLTextAreaElement>(null);
  const transcript = useRef<TranscriptHandle>(null);
  const mountQuestion = useCallback((asked: PendingQuestion) => transcript.current?.mountQuestion(asked), []);
  const { view, state, outgoing } = snapshot;
  const actions = useStoreCommands(store, box);
  const contextValue = useMemo(() => ({ ...actions, id, view, state, outgoing }), [actions, id, view, state, outgoing]);
  const record = useConversationRecord(view.conversation, view.threads.length);
  const title = useConversationTitle(record, view.threads[0]?.query);
  const menu = useStepsMenuItems();
  const hidesSteps = useStepsHidden();
  const [buildRows] = useState(createRowBuilder);
  const rows = useMemo(() => buildRows(view, { outgoing, hidesSteps }), [buildRows, view, outgoing, hidesSteps]);
  useConversationListRefresh(view);
  if (state.status === "failed") return <UnreachableConversation fault={state.fault} />;
  const isLoaded = view.conversation !== null;
  const parentId = view.conversation?.parent_id;
  return (
    <ConversationCommandsContext value={actions}>
      <ConversationContext value={contextValue}>
        <ConversationFrame
          title={title}
          menu={record === null ? null : <ConversationMenu conversation={record} more={menu} />}
        >
          <ConnectionBanner state={state} onRetry={store.reconnect} />
          {isLoaded && rows.length === 0 ? (
            <div className={styles["welcome"]}>
              <EmptyNotice title={t("empty")} />
            </div>
          ) : null}
          {isLoaded && rows.length > 0 ? <Transcript rows={rows} handle={transcript} /> : null}
          {isLoaded ? null : (
            <div className={styles["welcome"]}>
              <Loading />
            </div>
          )}
          <AnswerAnnouncer view={view} />
          {parentId === undefined ? (
            <ConversationComposer
              store={store}
              threads={view.threads}
              pending={view.pending}
              actions={actions}
              box={box}
              mountQuestion={mountQuestion}
            />
          ) : (
            <ParentConversationLink parentId={parentId} />
          )}
          <ModelNotice />
        </ConversationFrame>
      </ConversationContext>
    </ConversationCommandsContext>
  );
}

type TextareaRef = RefObject<HTMLTextAreaElement | null>;
type ComposerViewState = Pick<ConversationView, "threads" | "pending">;

/** Receives only the parts of the view that it needs, so that it does not render with every token. */
const ConversationComposer = memo(function ConversationComposer({
  store,
  threads,
  pending,
  actions,
  box,
  mountQuestion,
}: ComposerViewState & {
  readonly store: ChatStore;
  readonly actions: ConversationCommands;
  readonly box: TextareaRef;
  readonly mountQuestion: (asked: PendingQuestion) => void;
}) {
  const [stopping, setStopping] = useState<string>();
  const purpose = useComposerMode({ threads, pending });
  const running = threads.find(({ status }) => status === "open")?.thread_id;
  const lastQuery = threads.at(-1)?.query;
  const submit = (send: SendCommand) => {
    if (purpose.kind !== "answer") return store.send(send);
    const request_id = pending[0]?.request_id;
    return store.answer(send.message, request_id === undefined ? {} : { request_id });
  };
  const stop = () => {
    setStopping(running);
    actions.cancel(running === undefined ? {} : { thread_id: running }).catch((thrown: unknown) => {
      setStopping(undefined);
      showErrorToast(thrown);
    });
  };
  return (
    <Composer
      conversationKey={store.id}
      draft={getDraft(store.id)}
      box={box}
      purpose={purpose}
      onSubmit={submit}
      onStop={running === undefined ? undefined : stop}
      isStopping={running !== undefined && stopping === running}
      onEditLast={lastQuery === undefined ? undefined : () => actions.edit(lastQuery)}
    >
      <PendingBar mountQuestion={mountQuestion} />
    </Composer>
  );
});

function useComposerMode({ threads, pending }: ComposerViewState): ComposerMode {
  const t = useMessages("chat");
  const getAgentName = useAgentNames();
  const [asked, ...others] = pending;
  if (asked === undefined) return { kind: "message", isBusy: threads.some(({ status }) => status === "open") };
  if (others.length > 0) return { kind: "blocked", why: t("severalQuestions") };
  return { kind: "answer", to: getAgentName(asked.agent_name), isApproval: asked.approval !== undefined };
}

function useStoreCommands(store: ChatStore, box: TextareaRef): ConversationCommands {
  const language = useLanguage();
  return useMemo(() => {
    const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    return {
      send: (message, options = {}) => store.send({ message, language, timezone, ...options }),
      answer: store.answer,
      cancel: store.cancel,
      retry: store.retry,
      discard: store.discard,
      edit(text) {
        const draft = getDraft(store.id);
        const begun = draft.get().trim();
        // Keep the text that is already in the box, below the inserted text.
        draft.set(begun === "" || begun === text.trim() ? text : `${text}\n\n${begun}`);
        box.current?.focus();
        // The box shows the text after the next render.
        requestAnimationFrame(() => box.current?.setSelectionRange(text.length, text.length));
      },
    };
  }, [store, box, language]);
}

/** Returns the menu item that shows or hides steps, for all conversations of this browser. */
function useStepsMenuItems(): readonly MenuItem[] {
  const t = useMessages("chat");
  const isHidden = useStepsHidden();
  return useMemo(
    () => [
      {
        label: t(isHidden ? "showSteps" : "hideSteps"),
        icon: <ListTree size={16} aria-hidden />,
        onSelect: () => setStepsHidden(!isHidden),
      },
    ],
    [t, isHidden],
  );
}

/** The server updates the lists after it has sent the event; this delay in ms covers the difference. */
const LIST_REFRESH_DELAY_MS = 750;

/** Refreshes the conversation lists when a thread starts, ends or asks. */
function useConversationListRefresh({ threads, pending, isCaughtUp }: ConversationView): void {
  const queries = useQueryClient();
  const changeKey = `${threads.length} ${threads.filter(({ status }) => status === "open").length} ${pending.length}`;
  const lastKey = useRef<string>(undefined);
  useEffect(() => {
    if (!isCaughtUp || lastKey.current === changeKey) return;
    const isFirst = lastKey.current === undefined;
    lastKey.current = changeKey;
    const refresh = () => void queries.invalidateQueries({ queryKey: ["conversations"] });
    if (!isFirst) refresh();
    // Also on the first run: a quick answer to the first message may have ended before the view was caught up.
    setTimeout(refresh, LIST_REFRESH_DELAY_MS);
  }, [queries, changeKey, isCaughtUp]);
}
