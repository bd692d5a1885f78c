// The shared runtime with a scripted model and tokens, a user of their own for each file, and the official client of the OpenAI API.

import OpenAI from "openai";
import { expect } from "vitest";
import { signToken, SECRET } from "../../http/tokens.ts";
import { createHandoffReply, createPlanReply, type ModelReply } from "../../support/model-reply.ts";
import { createApiUser } from "../../support/api-user.ts";
import { shareModel, shareRuntime } from "../../support/shared-runtime.ts";

export const CONVERSATION = "x-orrery-conversation";

export const createUserMessage = (content: string) => ({ role: "user" as const, content });

type ReasoningMessage = { readonly reasoning_content?: string };
export const getReasoning = (message: object): string => (message as ReasoningMessage).reasoning_content ?? "";

export type OpenAISetup = Awaited<ReturnType<typeof startOpenAISetup>>;

export async function startOpenAISetup(more: Readonly<Record<string, string>> = {}) {
  const model = await shareModel();
  const runtime = await shareRuntime({
    vars: {
      OPENAI_BASE_URL: model.url,
      AUTH_SECRET: SECRET,
      MODEL_TIMEOUT_SECONDS: "5",
      MODEL_VISION: "1",
      ...more,
    },
  });
  const userId = `ada-${crypto.randomUUID()}`;
  const token = await signToken({ sub: userId });
  const createClient = (apiKey: string, more: object = {}): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${runtime.url}/v1`, maxRetries: 0, ...more });
  const client = createClient(token);
  const createPlanMark = (texts: readonly string[], synthesis: ModelReply): string => {
    const createTaskQuery = (text: string) => `Do ${model.addScript({ "agent:assistant": { text } })}`;
    const parts = texts.map((text, i) => ({ title: `Part ${i}`, query: createTaskQuery(text) }));
    return model.addScript({
      triage: createHandoffReply("needs_planning"),
      planner: createPlanReply(...parts),
      synthesis,
    });
  };
  return {
    model,
    runtime,
    userId,
    token,
    createClient,
    client,
    ada: createApiUser(runtime.url, token),
    /** Returns the mark of a script in which the triage answers directly. */
    scriptAnswer: (text: string): string => model.addScript({ triage: { text } }),
    /** Returns the mark of a script with a plan of one assistant task per text. */
    scriptPlan: (...texts: readonly string[]) => createPlanMark(texts, { text: "All of it is done." }),
    /** Like `scriptPlan`, but the synthesis fails. */
    scriptPlanWithoutSummary: (...texts: readonly string[]) =>
      createPlanMark(texts, { fault: { kind: "status", status: 400 } }),
    /** Returns the prompt of the first call of a role, without the system prompt of the runtime. */
    listPromptMessages: (mark: string, role: string) =>
      model
        .getCalls(mark, role)[0]
        ?.request.messages.slice(1)
        .map(({ role: by, content }) => `${by}: ${content}`),
    /** Streams a completion. Resolves with its chunks and their joined content. */
    async streamCompletion(message: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) {
      const request = {
        model: "orrery",
        messages: [createUserMessage(message)],
        stream_options: { include_usage: true },
        ...more,
      };
      const { data: stream, response } = await client.chat.completions
        .create({ ...request, stream: true }, { headers })
        .withResponse();
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
      return {
        chunks,
        conversation: response.headers.get(CONVERSATION) ?? "",
        text: deltas.map(({ content }) => content ?? "").join(""),
        reasoning: deltas.map(getReasoning).join(""),
        finish: chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason: reason }) => reason ?? [])),
        usage: chunks.at(-1)?.usage,
      };
    },
  };
}

/** Resolves with the rejection of a promise. Fails the test if it does not reject. */
export async function getRejection(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("The promise did not reject."),
    (thrown: unknown) => thrown,
  );
}
