// The part of the OpenAI API that chat clients need: models and chat completions.
//
// Clients of OpenAI send the complete conversation with each request and retry failed requests on their own. So a new
// conversation receives the earlier messages as context, a continued one only the last message, and errors after the
// start of the work forbid retries.

import { Hono, type Context } from "hono";
import type { Accepted } from "../../durable/api.ts";
import type { Send } from "../../protocol/commands.ts";
import { parseAt } from "../../protocol/fault.ts";
import { settingsOf } from "../../settings.ts";
import { commandId } from "../accepted.ts";
import { capOf, readJson } from "../body.ts";
import { boundedHistory } from "../earlier.ts";
import { identityOf } from "../identity.ts";
import { conversationIdSchema } from "../ids.ts";
import type { App, Route } from "../route.ts";
import { spokenIn } from "../speech.ts";
import { EVENT_STREAM } from "../sse.ts";
import { verbsOf, type Verbs } from "../verbs.ts";
import { isWhichQuestion } from "../which-question.ts";
import { streamedAnswer, wholeAnswer, type Head } from "./answer.ts";
import { COMPLETION, CONVERSATION, MODEL, MODELS } from "./described.ts";
import { modelNamed, modelsFor, RUNTIME } from "./models.ts";
import { Refusal, refusalOf, refusalResponse, SHOULD_RETRY } from "./refusal.ts";
import { completionOf, type Completion } from "./request.ts";

/** The routes, also for /openapi.json. */
export const openAiRoutes: readonly Route[] = [
  {
    ...MODELS,
    run: async (context) => Response.json({ object: "list", data: await modelsFor(await verbsFor(context)) }),
  },
  {
    ...MODEL,
    run: async (context) => Response.json(await modelNamed(await verbsFor(context), context.req.param("model") ?? "")),
  },
  { ...COMPLETION, run: complete },
];

/** Registers the interface at /v1. Unlike other routes, all its errors have the format of OpenAI. */
export function mountOpenAi(app: Hono<App>): void {
  const v1 = new Hono<App>();
  for (const { path, method, run } of openAiRoutes) {
    const pattern = path.slice("/v1".length).replace(/\{(\w+)\}/, ":$1");
    const allow = method.toUpperCase();
    v1.on(allow, pattern, run);
    v1.all(pattern, () => refusalResponse(new Refusal(405, "method_not_allowed", `Use ${allow} here.`), { allow }));
  }
  v1.all("*", () => {
    throw new Refusal(404, "not_found", "Only /v1/models and /v1/chat/completions are here.");
  });
  v1.onError((thrown) => refusalResponse(refusalOf(thrown)));
  app.route("/v1", v1);
}

/** Authenticates the request and returns the operations of its user. */
async function verbsFor({ req, env }: Context<App>): Promise<Verbs> {
  const settings = settingsOf(env);
  const { userId } = await identityOf(req.raw, settings);
  return verbsOf(env, settings, userId);
}

/** Handles a chat completion. */
async function complete(context: Context<App>): Promise<Response> {
  const request = context.req.raw;
  const verbs = await verbsFor(context);
  const asked = completionOf(await readJson(request, capOf(settingsOf(context.env)), () => "messages"));
  await modelNamed(verbs, asked.model);
  const accepted = await accept(verbs, request, asked);
  const headers = { [CONVERSATION]: accepted.conversation_id };
  try {
    return await answerOf(verbs, accepted, asked, headers);
  } catch (thrown) {
    // The work has started. A client that retried on its own would start it again.
    return refusalResponse(refusalOf(thrown), { ...headers, [SHOULD_RETRY]: "false" });
  }
}

/** Responds with the completion of an accepted thread, as JSON or as a stream. */
async function answerOf(
  verbs: Verbs,
  accepted: Accepted,
  { model, streams, wantsUsage }: Completion,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { thread_id } = accepted;
  const head: Head = {
    id: `chatcmpl-${thread_id.slice(thread_id.indexOf("-") + 1)}`,
    created: Math.floor(Date.now() / 1_000),
    model,
  };
  const left = new AbortController();
  const spoken = await spokenIn(verbs, accepted, left.signal);
  if (!streams) return Response.json(await wholeAnswer(head, spoken), { headers });
  const body = streamedAnswer(head, spoken, wantsUsage, () => left.abort());
  return new Response(body, { headers: { ...headers, ...EVENT_STREAM } });
}

/**
 * Sends the message. A conversation in the header is continued; it already has its history. Otherwise a new
 * conversation starts with the earlier messages as context.
 */
function accept(verbs: Verbs, request: Request, { model, message, earlier }: Completion): Promise<Accepted> {
  const id = request.headers.get(CONVERSATION);
  const command = commandId(request);
  const agent = model === RUNTIME ? {} : { agent: model };
  if (id === null) {
    const history = boundedHistory(earlier);
    const context = history.length === 0 ? {} : { context: { history } };
    return verbs.start(undefined, { message, ...agent, ...context }, command);
  }
  return say(verbs, parseAt(CONVERSATION, conversationIdSchema, id), { message, ...agent }, command);
}

/**
 * Sends a message to a conversation. If it could answer several open questions, it answers the first, because this is
 * the question that the client was shown, and the OpenAI API cannot name another.
 */
async function say(verbs: Verbs, id: string, words: Send, command: string | undefined): Promise<Accepted> {
  try {
    return await verbs.send(id, words, command);
  } catch (thrown) {
    if (!isWhichQuestion(thrown)) throw thrown;
    const [first] = (await verbs.context(id)).pending;
    if (first === undefined) throw thrown;
    return verbs.resume(id, { message: words.message, request_id: first.request_id }, command);
  }
}
