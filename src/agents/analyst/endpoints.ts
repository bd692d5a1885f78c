// The functions behind the analysis endpoints `POST /api/conversation`, `/api/workflow/generate` and
// `/api/page/generate`, and behind the refresh of a page. The wire format is camelCase JSON (`protocol/analysis.ts`)
// and NDJSON page events.
//
// Each call runs for at most `ANALYST_LIMITS.seconds`. Every failure of a model or of the analysis is a `Fault` with
// the code `agent_failed` and a text for the person. Streams start only after the blueprint is valid; later failures
// are part of the stream.

import type {
  AnalysisReply,
  AnalysisRequest,
  PageRequest,
  WorkflowReply,
  WorkflowRequest,
} from "../../protocol/analysis.ts";
import type { Blueprint } from "../../protocol/blueprint.ts";
import { Fault } from "../../protocol/fault.ts";
import { digestOf, mint } from "../../protocol/ids.ts";
import type { PageEvent } from "../../protocol/page.ts";
import { modelFor } from "../../models/model.ts";
import type { Settings } from "../../settings.ts";
import type { Model, Said } from "../kit/agent.ts";
import { isModelFault } from "../kit/failure.ts";
import { Allowance, Exhausted } from "../kit/limits.ts";
import type { Surroundings } from "./analyst.ts";
import { checkBlueprint, problemsInWords } from "./blueprint-check.ts";
import { createBlueprint } from "./blueprint.ts";
import { converse } from "./conversation.ts";
import { contextOf, type Desk } from "./desk.ts";
import { LIMITS } from "./limits.ts";
import { materialOf } from "./material.ts";
import { makePage, previousOf, type Order } from "./page-run.ts";
import { SAMPLE_TEACHER } from "./teacher.ts";

/** The context of one endpoint call. */
export type Office = Surroundings & { readonly model: Model; readonly settings: Settings };

/**
 * Handles a message, saves the state of the conversation and returns the reply. Creates a conversation id if the
 * request has none.
 */
export async function converseFor(office: Office, request: AnalysisRequest): Promise<AnalysisReply> {
  const conversationId = request.conversationId ?? mint("conv");
  const key = digestOf(conversationId);
  return within(office, async (desk) => {
    const kept = await desk.library.standing(key);
    const { reply, standing } = await endOf(converse(desk, withTeacher(request), kept));
    await desk.library.keepStanding(key, standing);
    return { ...reply, conversationId };
  });
}

/** Plans an analysis without a conversation. Returns the blueprint and the name of the model. */
export async function planFor(office: Office, request: WorkflowRequest): Promise<WorkflowReply> {
  return within(office, async (desk) => {
    const { userPrompt: prompt, language } = request;
    const { teacherId, ...rest } = withTeacher(request);
    const context = await contextOf(desk, { ...rest, teacherId, message: prompt });
    const material = await materialOf(desk, teacherId, [prompt]);
    const blueprint = await endOf(createBlueprint(desk, { prompt, language, context, material }));
    return { blueprint, model: modelFor(office.settings, "blueprint") };
  });
}

/**
 * F115. Streams a page. Without a blueprint in the request, builds the proposed or stored one of the conversation. If
 * it is the stored one, it replaces the conversation's page. Throws a `Fault` (`unprocessable`) if there is no
 * blueprint, or if it is invalid.
 */
export async function generateFor(office: Office, request: PageRequest): Promise<ReadableStream<Uint8Array>> {
  const { conversationId, context, language } = request;
  const key = typeof conversationId === "string" ? digestOf(conversationId) : null;
  const standing = key === null ? {} : await office.library.standing(key);
  const { blueprint: kept, proposed, setup, page_id } = standing;
  const blueprint = request.blueprint ?? proposed ?? kept;
  if (blueprint === undefined) {
    throw new Fault("unprocessable", "blueprint: send one, or the conversationId of one", { field: "blueprint" });
  }
  const isKept = blueprint.id === kept?.id;
  return streamFor(office, {
    blueprint,
    context: { ...setup?.context, ...context },
    teacherId: request.teacherId === "" ? (setup?.teacher_id ?? SAMPLE_TEACHER) : request.teacherId,
    language,
    key,
    ...(typeof conversationId === "string" ? { conversationId } : {}),
    ...(isKept && page_id !== undefined ? { pageId: page_id, ...(await previousOf(office, standing)) } : {}),
  });
}

/**
 * Streams the same page with fresh data, under the same id. Throws a `Fault` (`not_found`) if the page does not exist.
 */
export async function refreshFor(office: Office, pageId: string): Promise<ReadableStream<Uint8Array>> {
  const page = await office.library.page(pageId);
  if (page === null) throw new Fault("not_found", "There is no such page.");
  const { blueprint, context, teacher_id: teacherId, language } = page;
  return streamFor(office, { blueprint, context, teacherId, language, key: null, pageId, isRerun: true });
}

function withTeacher<Request extends { readonly teacherId: string }>(request: Request): Request {
  return request.teacherId === "" ? { ...request, teacherId: SAMPLE_TEACHER } : request;
}

/** Runs the work with a time limit and converts its errors to a `Fault`. */
async function within<T>(office: Office, work: (desk: Desk) => Promise<T>): Promise<T> {
  const clock = AbortSignal.timeout(LIMITS.seconds * 1_000);
  try {
    return await work(deskIn(office, clock));
  } catch (thrown) {
    if (clock.aborted)
      throw agentFault(`There was no answer after ${LIMITS.seconds} seconds. Please try again.`, thrown);
    throw worded(thrown);
  }
}

function deskIn({ tools, library, model }: Office, signal: AbortSignal): Desk {
  return { tools, library, model, signal, used: new Allowance(LIMITS) };
}

/** Converts an error to a `Fault` for the person. Unexpected errors are logged and get a general text. */
function worded(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown.code === "unprocessable" ? agentFault(thrown.message, thrown) : thrown;
  if (thrown instanceof Exhausted || isModelFault(thrown)) return agentFault(thrown.message, thrown);
  console.error("An analysis failed", thrown);
  return agentFault("The analysis failed: something went wrong on our side. Please try again.", thrown);
}

function agentFault(message: string, cause: unknown): Fault {
  return new Fault("agent_failed", message, { cause });
}

/** Runs a generator to its end, ignores its events and returns its result. */
async function endOf<T>(work: AsyncGenerator<Said, T>): Promise<T> {
  for (;;) {
    const { done, value } = await work.next();
    if (done === true) return value;
  }
}

/**
 * Returns a byte stream of page events, one JSON object per line. Each pull of the reader advances the page by one
 * event. Throws a `Fault` (`unprocessable`) before the stream exists if the blueprint is invalid. Cancelling the stream
 * aborts the work.
 */
function streamFor(office: Office, order: Order): ReadableStream<Uint8Array> {
  checkFor(office, order.blueprint);
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, AbortSignal.timeout(LIMITS.seconds * 1_000)]);
  const events = makePage(deskIn(office, signal), order);
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { done, value } = await events.next();
      if (done !== true) return controller.enqueue(lineOf(value));
      controller.close();
      // A pending byte request must be answered with zero bytes after `close`.
      controller.byobRequest?.respond(0);
    },
    async cancel() {
      left.abort(new Error("The reader has gone."));
      await events.return();
    },
  });
}

const utf8 = new TextEncoder();

/** Encodes one NDJSON line. */
function lineOf(event: PageEvent): Uint8Array {
  return utf8.encode(`${JSON.stringify(event)}\n`);
}

function checkFor({ tools }: Office, blueprint: Blueprint): void {
  const checked = checkBlueprint(blueprint, tools.infos);
  if (checked.ok) return;
  throw new Fault("unprocessable", `blueprint: ${problemsInWords(checked.problems)}`, { field: "blueprint" });
}
