// The dialogue with the analyst about data and pages. Each reply is text, a question, or the start of a page build.
// One message is in flight at a time. Later messages continue the conversation of the first reply.

import { useQueryClient, queryOptions } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { AnalysisReply, ClarifyOptions } from "../../../protocol/pages/analysis-api.ts";
import type { StoredPage, PageSummary } from "../../../protocol/pages/stored-page.ts";
import { useLanguage, useMessages, type Translate } from "../../session/language.ts";
import { toUserError } from "../../session/user-error.ts";
import { api } from "../../session/full-api.ts";
import type { PageBuilder } from "./use-page-build.ts";
import { Fault } from "../../../protocol/wire/fault.ts";

/** `text` is Markdown for the analyst; for `failure` it is the message of an error. */
export type AnalystMessage = { readonly sender: "person" | "analyst" | "failure"; readonly text: string };

export type AnalystChatState = {
  readonly messages: readonly AnalystMessage[];
  readonly isThinking: boolean;
  /** The question that the analyst needs answered to continue. */
  readonly question: ClarifyOptions | null;
  /**
   * Resolves to true when the reply was handled, to false if another message is in flight or the request failed; the
   * error is then a message of the dialogue. Never rejects.
   */
  readonly send: (message: string) => Promise<boolean>;
};

/**
 * Returns the dialogue, which is kept while the component is mounted. If `page` is given, messages refer to that page
 * and continue its conversation. `start` is called when a reply starts a page build.
 */
export function useAnalystChat(page: StoredPage | null, { start }: Pick<PageBuilder, "start">): AnalystChatState {
  const language = useLanguage();
  const [messages, setMessages] = useState<readonly AnalystMessage[]>([]);
  const [isThinking, setThinking] = useState(false);
  const isInFlight = useRef(false);
  const [question, setQuestion] = useState<ClarifyOptions | null>(null);
  const [conversationId, setConversationId] = useState<string>();
  const queries = useQueryClient();
  const t = useMessages("pages");
  const addMessage = (one: AnalystMessage) => setMessages((now) => [...now, one]);
  const handleReply = (reply: AnalysisReply) => {
    if (reply.chatResponse !== undefined && reply.chatResponse !== "")
      addMessage({ sender: "analyst", text: reply.chatResponse });
    setQuestion(reply.action === "rebuild" ? createYesNoQuestion(t) : (reply.clarifyOptions ?? null));
    const id = reply.conversationId ?? conversationId;
    setConversationId(id);
    if (reply.action !== "build_workflow" && reply.action !== "refine") return;
    const setup = page === null ? {} : { context: page.context, teacherId: page.teacher_id };
    start({
      createEvents: () => api.generatePage({ conversationId: id, language, ...setup }),
      blueprint: reply.blueprint,
      before: page?.page,
    });
  };
  const send = async (message: string) => {
    // Ignores double clicks on an example.
    if (isInFlight.current) return false;
    isInFlight.current = true;
    addMessage({ sender: "person", text: message });
    setThinking(true);
    try {
      const at =
        conversationId ?? (page === null ? undefined : (await queries.fetchQuery(createPageOriginQuery(page))).id);
      handleReply(await api.analyse({ message, language, conversationId: at, ...getPageContext(page) }));
      return true;
    } catch (error) {
      addMessage({ sender: "failure", text: toUserError(error).message });
      return false;
    } finally {
      isInFlight.current = false;
      setThinking(false);
    }
  };
  return { messages, isThinking, question, send };
}

/** Replacing the analysis by a different one needs the user's consent. */
function createYesNoQuestion(t: Translate<"pages">): ClarifyOptions {
  const choices = [t("yes"), t("no")].map((label) => ({ label, value: label, description: "" }));
  return { type: "single_select", choices, allowCustomInput: true };
}

/** Returns the context for the server. If the page has a conversation, the server knows the page content already. */
function getPageContext(page: StoredPage | null) {
  if (page === null) return {};
  const { blueprint, page: pageContext, teacher_id: teacherId, context } = page;
  return page.conversation_id === undefined
    ? { blueprint, pageContext, teacherId, context }
    : { blueprint, teacherId, context };
}

// Where a page was created: in a conversation of the user, or in the input of the page views, whose conversations are
// internal.

type PageOrigin =
  /** A user conversation. A task conversation is represented by its parent. */
  | { readonly kind: "conversation"; readonly id: string }
  /** The input of the page views. `id` is the internal conversation; undefined if there is none. */
  | { readonly kind: "box"; readonly id: string | undefined };

/**
 * Returns the query for the origin of a page, which never becomes stale. The origin is `box` without a conversation or
 * if that does not exist; any other error is the error of the query.
 */
export function createPageOriginQuery({ page_id: page, conversation_id: id }: PageSummary) {
  return queryOptions({
    queryKey: ["page", page, "home"],
    staleTime: Infinity,
    queryFn: async (): Promise<PageOrigin> => {
      if (id === undefined) return { kind: "box", id };
      try {
        const conversation = await api.readConversation(id);
        return { kind: "conversation", id: conversation.parent_id ?? id };
      } catch (error) {
        if (error instanceof Fault && error.code === "not_found") return { kind: "box", id };
        throw error;
      }
    },
  });
}
