// What the endpoints of analysis are answered with: `POST /api/conversation`, `/api/workflow/generate` and
// `/api/page/generate`. Everything that a model or the analysis itself gets wrong is an `agent_failed`, with words for
// the person.

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

export type Office = Surroundings & { readonly model: Model; readonly settings: Settings };

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

/** F115. Without a blueprint, what was last agreed on in the conversation is made. */
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

/** The same page with fresh data. */
export async function refreshFor(office: Office, pageId: string): Promise<ReadableStream<Uint8Array>> {
  const page = await office.library.page(pageId);
  if (page === null) throw new Fault("not_found", "There is no such page.");
  const { blueprint, context, teacher_id: teacherId, language } = page;
  return streamFor(office, { blueprint, context, teacherId, language, key: null, pageId, isRerun: true });
}

function withTeacher<Request extends { readonly teacherId: string }>(request: Request): Request {
  return request.teacherId === "" ? { ...request, teacherId: SAMPLE_TEACHER } : request;
}

/** Does work within its time, and words what fails. */
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

function worded(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown.code === "unprocessable" ? agentFault(thrown.message, thrown) : thrown;
  if (thrown instanceof Exhausted || isModelFault(thrown)) return agentFault(thrown.message, thrown);
  console.error("An analysis failed", thrown);
  return agentFault("The analysis failed: something went wrong on our side. Please try again.", thrown);
}

function agentFault(message: string, cause: unknown): Fault {
  return new Fault("agent_failed", message, { cause });
}

/** What a piece of work comes to, for callers who do not hear it at work. */
async function endOf<T>(work: AsyncGenerator<Said, T>): Promise<T> {
  for (;;) {
    const { done, value } = await work.next();
    if (done === true) return value;
  }
}

/** Lines of events. A blueprint that cannot be carried out is refused before the first. */
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
      // Bytes that were asked for and will not come.
      controller.byobRequest?.respond(0);
    },
    async cancel() {
      left.abort(new Error("The reader has gone."));
      await events.return();
    },
  });
}

const utf8 = new TextEncoder();

function lineOf(event: PageEvent): Uint8Array {
  return utf8.encode(`${JSON.stringify(event)}\n`);
}

function checkFor({ tools }: Office, blueprint: Blueprint): void {
  const checked = checkBlueprint(blueprint, tools.infos);
  if (checked.ok) return;
  throw new Fault("unprocessable", `blueprint: ${problemsInWords(checked.problems)}`, { field: "blueprint" });
}
