// The runtime of all contract suites: a scripted model, tokens for any number of users, the guestbook and a Worker that
// calls the RPC interface.

import { createHandoffReply, createPlanReply } from "../support/model-reply.ts";
import { withGuestbook } from "../support/guestbook.ts";
import type { ModelServer } from "../support/model-server.ts";
import { createApiUser, type ApiUser } from "../support/api-user.ts";
import { createQuestionReply } from "../support/question-script.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../support/shared-runtime.ts";
import { SECRET, signToken } from "../http/tokens.ts";

export type Setup = { readonly runtime: SharedRuntime; readonly model: ModelServer };

export async function startContractSetup(): Promise<Setup> {
  const model = await shareModel();
  const { siblings, agents } = withGuestbook();
  const runtime = await shareRuntime({
    vars: { OPENAI_BASE_URL: model.url, AUTH_SECRET: SECRET, ALLOW_PRIVATE_AGENTS: "1", MODEL_TIMEOUT_SECONDS: "60" },
    siblings: { ...siblings, caller: { config: "test/e2e/caller/wrangler.toml", entry: "test/e2e/caller/caller.ts" } },
    ...(agents === undefined ? {} : { agents }),
  });
  return { runtime, model };
}

/** Creates a user that no other test has. */
export async function createUser({ runtime }: Setup, name: string): Promise<{ name: string; api: ApiUser }> {
  const unique = `${name}-${crypto.randomUUID()}`;
  return { name: unique, api: createApiUser(runtime.url, await signToken({ sub: unique })) };
}

/** Returns a message that is answered directly with this text. */
export function scriptAnswer({ model }: Setup, text: string, paceMs = 0): { mark: string; message: string } {
  const mark = model.addScript({ triage: { text, paceMs } });
  return { mark, message: `Say ${mark}` };
}

/** Returns a message whose planner asks a question and then lets an agent answer with `text`. */
export function scriptQuestion({ model }: Setup, text: string): { mark: string; message: string } {
  const work = model.addScript({ "agent:assistant": { text } });
  const planner = [createQuestionReply("How much?", ["10", "20"]), createPlanReply({ query: `Pay ${work}` })];
  const mark = model.addScript({ triage: createHandoffReply("needs_planning"), planner });
  return { mark, message: `Pay the bill ${mark}` };
}

/** Returns a message with a plan of two concurrent tasks of an agent that writes `text`. */
export function scriptPlan({ model }: Setup, text: string, paceMs = 0): { mark: string; message: string } {
  const tasks = [1, 2].map(() => model.addScript({ "agent:assistant": { text, paceMs } }));
  const mark = model.addScript({
    triage: createHandoffReply("needs_planning"),
    planner: createPlanReply(...tasks.map((task) => ({ query: `Work ${task}` }))),
    synthesis: { text: "Both are done.", paceMs },
  });
  return { mark, message: `Do ${mark}` };
}
