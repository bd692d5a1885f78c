// The dialogue with the analyst about data and pages. Each reply is text, a question, or the start of a page build.
// One message is in flight at a time. Later messages continue the conversation of the first reply.

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { AnalysisReply, ClarifyOptions } from "../../protocol/analysis.ts";
import type { KeptPage } from "../../protocol/pages.ts";
import { useLanguage, useWords, type Say } from "../language.ts";
import { refusalOf } from "../refusal.ts";
import { api } from "../runtime.ts";
import { homeOf } from "./home.ts";
import type { Builder } from "./use-build.ts";
import { WORDS } from "./words.ts";

export type Said = { readonly by: "person" | "analyst" | "failure"; readonly text: string };

export type Wish = {
  readonly said: readonly Said[];
  readonly isThinking: boolean;
  /** The question that the analyst needs answered to continue. */
  readonly question: ClarifyOptions | null;
  /** Resolves to false if the message was not accepted. Never rejects. */
  readonly say: (message: string) => Promise<boolean>;
};

/** If `page` is given, messages refer to that page. */
export function useWish(page: KeptPage | null, { start }: Pick<Builder, "start">): Wish {
  const language = useLanguage();
  const [said, setSaid] = useState<readonly Said[]>([]);
  const [isThinking, setThinking] = useState(false);
  const isUnderWay = useRef(false);
  const [question, setQuestion] = useState<ClarifyOptions | null>(null);
  const [conversationId, setConversationId] = useState<string>();
  const queries = useQueryClient();
  const sayWords = useWords(WORDS);
  const add = (one: Said) => setSaid((now) => [...now, one]);
  const take = (reply: AnalysisReply) => {
    if (reply.chatResponse !== undefined && reply.chatResponse !== "") add({ by: "analyst", text: reply.chatResponse });
    setQuestion(reply.action === "rebuild" ? yesOrNo(sayWords) : (reply.clarifyOptions ?? null));
    const id = reply.conversationId ?? conversationId;
    setConversationId(id);
    if (reply.action !== "build_workflow" && reply.action !== "refine") return;
    const setup = page === null ? {} : { context: page.context, teacherId: page.teacher_id };
    start({
      make: () => api.generatePage({ conversationId: id, language, ...setup }),
      blueprint: reply.blueprint,
      before: page?.page,
    });
  };
  const say = async (message: string) => {
    // Ignores double clicks on an example.
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    add({ by: "person", text: message });
    setThinking(true);
    try {
      const at = conversationId ?? (page === null ? undefined : (await queries.fetchQuery(homeOf(page))).id);
      take(await api.analyse({ message, language, conversationId: at, ...aboutOf(page) }));
      return true;
    } catch (error) {
      add({ by: "failure", text: refusalOf(error).message });
      return false;
    } finally {
      isUnderWay.current = false;
      setThinking(false);
    }
  };
  return { said, isThinking, question, say };
}

/** Replacing the analysis by a different one needs the user's consent. */
function yesOrNo(say: Say<"yes" | "no">): ClarifyOptions {
  const choices = [say("yes"), say("no")].map((label) => ({ label, value: label, description: "" }));
  return { type: "single_select", choices, allowCustomInput: true };
}

/** Returns the context for the server. If the page has a conversation, the server knows the page content already. */
function aboutOf(page: KeptPage | null) {
  if (page === null) return {};
  const { blueprint, page: pageContext, teacher_id: teacherId, context } = page;
  return page.conversation_id === undefined
    ? { blueprint, pageContext, teacherId, context }
    : { blueprint, teacherId, context };
}
