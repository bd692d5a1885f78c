// What a person says about data and pages in one place, and what comes of it: words, a question, or a page.

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
  /** What the analyst wants to know before it goes on. */
  readonly question: ClarifyOptions | null;
  /** False where it could not be said at all. */
  readonly say: (message: string) => Promise<boolean>;
};

/** With a page, what is said is about that one. */
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
    // An example that is pressed twice is meant once.
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

/** Another analysis in the place of this one is made only when the person wants it. */
function yesOrNo(say: Say<"yes" | "no">): ClarifyOptions {
  const choices = [say("yes"), say("no")].map((label) => ({ label, value: label, description: "" }));
  return { type: "single_select", choices, allowCustomInput: true };
}

/** The server knows what was last agreed on where the page has a conversation; else it is told. */
function aboutOf(page: KeptPage | null) {
  if (page === null) return {};
  const { blueprint, page: pageContext, teacher_id: teacherId, context } = page;
  return page.conversation_id === undefined
    ? { blueprint, pageContext, teacherId, context }
    : { blueprint, teacherId, context };
}
