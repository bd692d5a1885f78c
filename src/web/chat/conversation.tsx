// The view of one conversation. It is connected as long as it is mounted, and provides the conversation context.

import { useQueryClient } from "@tanstack/react-query";
import { ListTree } from "lucide-react";
import { memo, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from "react";
import type { Send } from "../../protocol/commands.ts";
import type { Pending } from "../../protocol/question.ts";
import type { View } from "../../protocol/view.ts";
import { useLanguage, useWords } from "../language.ts";
import { PendingBar } from "../question/pending-bar.tsx";
import { ModelNotice } from "../shell/model-notice.tsx";
import { Empty, Loading } from "../ui/notice.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { toastFailure } from "../ui/toast.tsx";
import { Announcer } from "./announcer.tsx";
import { Composer, type Purpose } from "./composer/composer.tsx";
import styles from "./conversation.module.css";
import { draftOf } from "./composer/draft.ts";
import { Frame } from "./frame.tsx";
import { LineState } from "./line-state.tsx";
import { ConversationMenu, useConversationTitle, useNamed } from "./named.tsx";
import { useAgentNames } from "./names.ts";
import { createRowsOf } from "./rows.ts";
import { hideSteps, useStepsHidden } from "./steps-hidden.ts";
import { createStore, type Store } from "./store.ts";
import { TalkActionsContext, TalkContext, type TalkActions } from "./talk.ts";
import { PartOf } from "./part-of.tsx";
import { Transcript, type TranscriptHandle } from "./transcript.tsx";
import { Unreachable } from "./unreachable.tsx";
import { WORDS } from "./words.ts";

export function Conversation({ id }: { readonly id: string }) {
  const say = useWords(WORDS);
  const [store] = useState(() => createStore(id));
  const snapshot = useSyncExternalStore(store.subscribe, store.get);
  useEffect(() => store.open(), [store]);
  const box = useRef<HTMLTextAreaElement>(null);
  const transcript = useRef<TranscriptHandle>(null);
  const seek = useCallback((asked: Pending) => transcript.current?.bring(asked), []);
  const { view, state, outgoing } = snapshot;
  const actions = useActions(store, box);
  const talk = useMemo(() => ({ ...actions, id, view, state, outgoing }), [actions, id, view, state, outgoing]);
  const named = useNamed(view.conversation, view.threads.length);
  const title = useConversationTitle(named, view.threads[0]?.query);
  const menu = useSteps();
  const hidesSteps = useStepsHidden();
  const [rowsOf] = useState(createRowsOf);
  const rows = useMemo(() => rowsOf(view, { outgoing, hidesSteps }), [rowsOf, view, outgoing, hidesSteps]);
  useListNews(view);
  if (state.status === "failed") return <Unreachable fault={state.fault} />;
  const isLoaded = view.conversation !== null;
  const parentId = view.conversation?.parent_id;
  return (
    <TalkActionsContext value={actions}>
      <TalkContext value={talk}>
        <Frame title={title} menu={named === null ? null : <ConversationMenu conversation={named} more={menu} />}>
          <LineState state={state} onRetry={store.reconnect} />
          {isLoaded && rows.length === 0 ? (
            <div className={styles["welcome"]}>
              <Empty title={say("empty")} />
            </div>
          ) : null}
          {isLoaded && rows.length > 0 ? <Transcript rows={rows} handle={transcript} /> : null}
          {isLoaded ? null : (
            <div className={styles["welcome"]}>
              <Loading />
            </div>
          )}
          <Announcer view={view} />
          {parentId === undefined ? (
            <TalkComposer
              store={store}
              threads={view.threads}
              pending={view.pending}
              actions={actions}
              box={box}
              onSeek={seek}
            />
          ) : (
            <PartOf parentId={parentId} />
          )}
          <ModelNotice />
        </Frame>
      </TalkContext>
    </TalkActionsContext>
  );
}

type Box = RefObject<HTMLTextAreaElement | null>;
type Asked = Pick<View, "threads" | "pending">;

/** Receives only the parts of the view that it needs, so that it does not render with every token. */
const TalkComposer = memo(function TalkComposer({
  store,
  threads,
  pending,
  actions,
  box,
  onSeek,
}: Asked & {
  readonly store: Store;
  readonly actions: TalkActions;
  readonly box: Box;
  readonly onSeek: (asked: Pending) => void;
}) {
  const [stopping, setStopping] = useState<string>();
  const purpose = usePurpose({ threads, pending });
  const running = threads.find(({ status }) => status === "open")?.thread_id;
  const lastQuery = threads.at(-1)?.query;
  const submit = (send: Send) => {
    if (purpose.kind !== "answer") return store.send(send);
    const request_id = pending[0]?.request_id;
    return store.answer(send.message, request_id === undefined ? {} : { request_id });
  };
  const stop = () => {
    setStopping(running);
    actions.cancel(running === undefined ? {} : { thread_id: running }).catch((thrown: unknown) => {
      setStopping(undefined);
      toastFailure(thrown);
    });
  };
  return (
    <Composer
      of={store.id}
      draft={draftOf(store.id)}
      box={box}
      purpose={purpose}
      onSubmit={submit}
      onStop={running === undefined ? undefined : stop}
      isStopping={running !== undefined && stopping === running}
      onEditLast={lastQuery === undefined ? undefined : () => actions.edit(lastQuery)}
    >
      <PendingBar onSeek={onSeek} />
    </Composer>
  );
});

function usePurpose({ threads, pending }: Asked): Purpose {
  const say = useWords(WORDS);
  const nameOf = useAgentNames();
  const [asked, ...others] = pending;
  if (asked === undefined) return { kind: "message", isBusy: threads.some(({ status }) => status === "open") };
  if (others.length > 0) return { kind: "blocked", why: say("severalQuestions") };
  return { kind: "answer", to: nameOf(asked.agent_name), isApproval: asked.approval !== undefined };
}

function useActions(store: Store, box: Box): TalkActions {
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
        const draft = draftOf(store.id);
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
function useSteps(): readonly MenuItem[] {
  const say = useWords(WORDS);
  const isHidden = useStepsHidden();
  return useMemo(
    () => [
      {
        label: say(isHidden ? "showSteps" : "hideSteps"),
        icon: <ListTree size={16} aria-hidden />,
        onSelect: () => hideSteps(!isHidden),
      },
    ],
    [say, isHidden],
  );
}

/** The server updates the lists after it has sent the event; this delay in ms covers the difference. */
const LISTS_LATER_MS = 750;

/** Refreshes the conversation lists when a thread starts, ends or asks. */
function useListNews({ threads, pending, isCaughtUp }: View): void {
  const queries = useQueryClient();
  const news = `${threads.length} ${threads.filter(({ status }) => status === "open").length} ${pending.length}`;
  const told = useRef<string>(undefined);
  useEffect(() => {
    if (!isCaughtUp || told.current === news) return;
    const isFirst = told.current === undefined;
    told.current = news;
    const refresh = () => void queries.invalidateQueries({ queryKey: ["conversations"] });
    if (!isFirst) refresh();
    // Also on the first run: a quick answer to the first message may have ended before the view was caught up.
    setTimeout(refresh, LISTS_LATER_MS);
  }, [queries, news, isCaughtUp]);
}
