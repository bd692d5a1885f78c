// A blueprint becomes a page: data, computing, composing. Whatever happens, the last word is one COMPLETE.

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

/** Longest time of one execution. */
const SECONDS = 180;

export type Order = {
  readonly blueprint: Blueprint;
  readonly context: Readonly<Record<string, unknown>>;
  readonly teacherId: string;
  readonly language: string;
  readonly tools: Tools;
  /**
   * A page that this one is a refinement of: what tools answered then they answer now, without being called; written
   * blocks stay, but for those of the slots named in `recompose`, which are written anew.
   */
  readonly previous?: {
    readonly page: PageSpec;
    readonly snapshot: Snapshot;
    readonly recompose: readonly string[];
  };
};

export type Executed = { readonly page: PageSpec | null; readonly snapshot: Snapshot };

/** Carries a blueprint out. Never throws: what goes wrong is told by the one COMPLETE at the end, with words for people. */
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

function sceneOf(mind: Mind, { blueprint, context, teacherId, language, tools, previous }: Order): Scene {
  const known = teacherId === "" ? { ...context } : { ...context, teacherId };
  return {
    ...mind,
    blueprint,
    language,
    context: known,
    input: context["input"] ?? context["inputs"] ?? context,
    tools: previous === undefined ? tools : remembering(tools, previous.snapshot),
    // Ids come from outside: they must not be able to mean anything but themselves.
    data: Object.create(null) as Record<string, unknown>,
    compute: Object.create(null) as Record<string, unknown>,
    results: [],
    missing: new Map(),
  };
}

/** Tools that answer as they did before where they are asked the same. */
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

function phase(scene: Scene, name: keyof typeof PHASES): PageEvent {
  scene.signal.throwIfAborted();
  return { type: "PHASE", phase: name, message: say(scene, PHASES[name]) };
}

function completed(result: Extract<PageEvent, { type: "COMPLETE" }>["result"]): PageEvent {
  return { type: "COMPLETE", message: result.page === null ? "error" : "completed", progress: 100, result };
}

function wordsFor(scene: Scene, thrown: unknown, asked: AbortSignal, clock: AbortSignal): string {
  if (asked.aborted) return inLanguage(STOPPED, scene.language);
  if (clock.aborted) return inLanguage(TOO_SLOW(SECONDS), scene.language);
  if (thrown instanceof Halt) return thrown.message;
  if (thrown instanceof Fault || thrown instanceof Exhausted) return say(scene, FAILED(thrown.message));
  console.error("A page broke off", thrown);
  return say(scene, FAILED(inLanguage(OUR_SIDE, scene.language)));
}
