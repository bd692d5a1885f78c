// Carries out a blueprint in three phases: fetch data, compute, compose. Emits the events of the page.
//
// Every execution owns one `PageBuild`, which the phases fill in order. Exactly one `COMPLETE` is the last event, also
// after a failure, a timeout (180 s) or an abort by the caller. Failures of optional data and of texts do not stop the
// page: they are recorded in `build.missing` and shown as a note in their block. When the generator ends, its own
// signal aborts, so no text or tool call outlives the execution.

import type { Blueprint } from "../../protocol/blueprint.ts";
import type { PageEvent, PageSpec } from "../../protocol/page.ts";
import type { Snapshot } from "../../protocol/pages.ts";
import { isSame } from "../kit/json.ts";
import { Exhausted } from "../kit/limits.ts";
import { Fault } from "../../protocol/fault.ts";
import { abridged } from "./abridge.ts";
import { checkBlueprint, problemsInWords } from "./blueprint-check.ts";
import { toldBy } from "./channel.ts";
import { beginTexts, compose, keptOf, type Kept } from "./compose.ts";
import { MOST_MEMBERS } from "./execute-call.ts";
import { compute, fetchData } from "./execute-data.ts";
import { CHOOSE, FAILED, INVALID, OUR_SIDE, PHASES, STOPPED, TOO_SLOW } from "./execute-phrases.ts";
import { inLanguage } from "./language.ts";
import type { Mind } from "./mind.ts";
import { harmless } from "./markdown.ts";
import { messageOf, pageOf } from "./page.ts";
import { Halt, say, unchosen, type Scene } from "./scene.ts";
import type { Tools } from "./tools.ts";

/** Maximum duration of one execution in seconds. */
const SECONDS = 180;

export type Order = {
  readonly blueprint: Blueprint;
  readonly context: Readonly<Record<string, unknown>>;
  readonly teacherId: string;
  readonly language: string;
  readonly tools: Tools;
  /**
   * The page that this one refines. Equal tool calls return the stored results without being called. Written blocks are
   * kept, except those of the slots in `recompose`.
   */
  readonly previous?: {
    readonly page: PageSpec;
    readonly snapshot: Snapshot;
    readonly recompose: readonly string[];
  };
};

/** The finished page, or null after a failure, and the tool results it was built from. */
export type Executed = { readonly page: PageSpec | null; readonly snapshot: Snapshot };

/**
 * Carries out a blueprint and returns the page with its snapshot. Never throws: failures end with a `COMPLETE` event
 * that has no page and a text for the person. If a named thing does not exist, a `DATA_ERROR` event precedes it.
 */
export async function* executeBlueprint(mind: Mind, order: Order): AsyncGenerator<PageEvent, Executed> {
  const over = new AbortController();
  const clock = AbortSignal.timeout(SECONDS * 1_000);
  const signal = AbortSignal.any([mind.signal, clock, over.signal]);
  const scene = sceneOf({ ...mind, signal }, order);
  const snapshot = (): Snapshot => ({ results: scene.results, is_cut: false });
  try {
    const page = yield* phases(scene, order);
    const words = messageOf(scene, page);
    yield { type: "MESSAGE", content: words };
    yield completed({ response: words, chatResponse: words, page });
    return { page, snapshot: snapshot() };
  } catch (thrown) {
    if (thrown instanceof Halt && thrown.notFound !== null) {
      const { entity, message, suggestions } = thrown.notFound;
      yield { type: "DATA_ERROR", entity, message, suggestions: [...suggestions] };
    }
    const chatResponse = harmless(wordsFor(scene, thrown, mind.signal, clock));
    yield completed({ response: "", chatResponse, page: null });
    return { page: null, snapshot: snapshot() };
  } finally {
    over.abort(new Error("The page is done."));
  }
}

/**
 * Checks the blueprint and its required inputs, then runs the three phases. Throws a `Halt` for a failure with a text
 * for the person.
 */
async function* phases(scene: Scene, { blueprint, previous }: Order): AsyncGenerator<PageEvent, PageSpec> {
  const checked = checkBlueprint(blueprint, scene.tools.infos);
  if (!checked.ok) throw new Halt(say(scene, INVALID(problemsInWords(checked.problems.slice(0, 5)))));
  const labels = unchosen(scene);
  if (labels.length > 0) throw new Halt(say(scene, CHOOSE(labels.join(", "))));
  yield phase(scene, "data");
  yield* toldBy((tell) => fetchData(scene, tell));
  yield phase(scene, "compute");
  yield* toldBy((tell) => compute(scene, tell));
  const kept: Kept = previous === undefined ? new Map() : keptOf(scene, previous.page, previous.recompose);
  const texts = beginTexts(scene, kept);
  yield phase(scene, "compose");
  return pageOf(scene, yield* compose(scene, texts, kept));
}

/** Creates the initial state of the execution. */
function sceneOf(mind: Mind, { blueprint, context, teacherId, language, tools, previous }: Order): Scene {
  const known = teacherId === "" ? { ...context } : { ...context, teacherId };
  return {
    ...mind,
    blueprint,
    language,
    context: known,
    input: context["input"] ?? context["inputs"] ?? context,
    tools: previous === undefined ? tools : remembering(tools, previous.snapshot),
    // Ids come from outside. Objects without a prototype keep them from touching inherited members.
    data: Object.create(null) as Record<string, unknown>,
    compute: Object.create(null) as Record<string, unknown>,
    results: [],
    missing: new Map(),
  };
}

/** Wraps the tools so that a call with the same arguments returns the recorded result. */
function remembering(tools: Tools, { results }: Snapshot): Tools {
  return {
    infos: tools.infos,
    async call(name, args, signal) {
      const asked = abridged(args, MOST_MEMBERS);
      const same = results.find(({ tool, args: before }) => tool === name && isSame(before, asked));
      return same === undefined ? await tools.call(name, args, signal) : same.result;
    },
  };
}

/** Returns the event that starts a phase. Throws if the signal is aborted. */
function phase(scene: Scene, name: keyof typeof PHASES): PageEvent {
  scene.signal.throwIfAborted();
  return { type: "PHASE", phase: name, message: say(scene, PHASES[name]) };
}

function completed(result: Extract<PageEvent, { type: "COMPLETE" }>["result"]): PageEvent {
  return { type: "COMPLETE", message: result.page === null ? "error" : "completed", progress: 100, result };
}

/** Returns the text for the person: stopped by the caller, timed out, or the reason. Unexpected errors are logged. */
function wordsFor(scene: Scene, thrown: unknown, asked: AbortSignal, clock: AbortSignal): string {
  if (asked.aborted) return inLanguage(STOPPED, scene.language);
  if (clock.aborted) return inLanguage(TOO_SLOW(SECONDS), scene.language);
  if (thrown instanceof Halt) return thrown.message;
  if (thrown instanceof Fault || thrown instanceof Exhausted) return say(scene, FAILED(thrown.message));
  console.error("A page broke off", thrown);
  return say(scene, FAILED(inLanguage(OUR_SIDE, scene.language)));
}
