// The runtime with a scripted model, seen by the official client of OpenAI's API.

import OpenAI from "openai";
import { expect } from "vitest";
import { signed, SECRET } from "../../http/tokens.ts";
import { handoff, planOf, type Reply } from "../../support/model-reply.ts";
import { startModelServer } from "../../support/model-server.ts";
import { personAt } from "../../support/person.ts";
import { startRuntime } from "../../support/runtime.ts";

export const CONVERSATION = "x-orrery-conversation";

export const user = (content: string) => ({ role: "user" as const, content });

type Thinking = { readonly reasoning_content?: string };
export const thoughtsIn = (message: object): string => (message as Thinking).reasoning_content ?? "";

export type Stage = Awaited<ReturnType<typeof startStage>>;

export async function startStage(more: Readonly<Record<string, string>> = {}) {
  const model = await startModelServer();
  const runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, AUTH_SECRET: SECRET, MODEL_TIMEOUT_SECONDS: "5", ...more },
  });
  const token = await signed({ sub: "ada" });
  const clientOf = (apiKey: string, more: object = {}): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${runtime.url}/v1`, maxRetries: 0, ...more });
  const client = clientOf(token);
  const plan = (texts: readonly string[], synthesis: Reply): string => {
    const work = (text: string) => `Do ${model.act({ "agent:assistant": { text } })}`;
    const parts = texts.map((text, i) => ({ title: `Part ${i}`, query: work(text) }));
    return model.act({ triage: handoff("needs_planning"), planner: planOf(...parts), synthesis });
  };
  return {
    model,
    runtime,
    token,
    clientOf,
    client,
    ada: personAt(runtime.url, token),
    /** A mark that the runtime itself answers with this. */
    says: (text: string): string => model.act({ triage: { text } }),
    /** A mark that makes a plan of as many parts, each done by the assistant. */
    planned: (...texts: readonly string[]) => plan(texts, { text: "All of it is done." }),
    /** As `planned`, and nobody sums up. */
    unsummed: (...texts: readonly string[]) => plan(texts, { trouble: { kind: "status", status: 400 } }),
    /** What the model of a role was told, without the runtime's own instructions. */
    toldTo: (mark: string, role: string) =>
      model
        .callsOf(mark, role)[0]
        ?.request.messages.slice(1)
        .map(({ role: by, content }) => `${by}: ${content}`),
    /** Everything that a stream says. */
    async streamed(message: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) {
      const asked = { model: "orrery", messages: [user(message)], stream_options: { include_usage: true }, ...more };
      const { data: stream, response } = await client.chat.completions
        .create({ ...asked, stream: true }, { headers })
        .withResponse();
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
      return {
        chunks,
        conversation: response.headers.get(CONVERSATION) ?? "",
        text: deltas.map(({ content }) => content ?? "").join(""),
        thoughts: deltas.map(thoughtsIn).join(""),
        finish: chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason: reason }) => reason ?? [])),
        usage: chunks.at(-1)?.usage,
      };
    },
    async stop() {
      await runtime.stop();
      await model.close();
    },
  };
}

/** What a promise that must reject rejects with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("It was not refused."),
    (thrown: unknown) => thrown,
  );
}
