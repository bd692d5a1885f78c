// The state of one execution of a blueprint. `executeBlueprint` creates it and passes it to the three phases.
//
// `data` and `compute` hold the values that references resolve to; `missing` holds the reasons for values that could
// not be produced. The phases only add members: fetching writes `data`, computing writes `compute`, and writing texts
// adds the output of AI nodes to `compute`. Members are written by concurrent tasks, but each key by one task only. A
// `PageBuild` lives in memory and is dropped when the execution ends; only `results` are stored, as the snapshot of the
// page.

import type { Binding, Blueprint } from "../../protocol/blueprint.ts";
import type { PageEvent } from "../../protocol/page.ts";
import type { Both } from "../../protocol/words/language.ts";
import { inLanguage } from "./language.ts";
import type { Mind } from "./mind.ts";
import { readReference, referencesIn, type Reference } from "./references.ts";
import type { Tools } from "./tools.ts";

/** Sends an event to the readers of the page. */
export type Tell = (event: PageEvent) => void;
export type Result = { readonly tool: string; readonly args: Record<string, unknown>; readonly result: unknown };

/** The state of one execution. */
export type Scene = Mind & {
  readonly blueprint: Blueprint;
  readonly language: string;
  readonly tools: Tools;
  readonly context: Record<string, unknown>;
  readonly input: unknown;
  /** Values by binding id, and by output key of a node. The texts of AI nodes are in `compute` too. */
  readonly data: Record<string, unknown>;
  readonly compute: Record<string, unknown>;
  /** Successful tool results in the order of their arrival. */
  readonly results: Result[];
  /**
   * Reasons for missing values by the start of their reference, such as `data.grades`; missing texts as `slot.` and the
   * slot id.
   */
  readonly missing: Map<string, string>;
};

/** Ends the execution. The message is written for the person; `notFound` is set if a named thing does not exist. */
export class Halt extends Error {
  override readonly name = "Halt";
  readonly notFound: NotFound | null;

  constructor(message: string, notFound: NotFound | null = null) {
    super(message);
    this.notFound = notFound;
  }
}

/** A named thing that does not exist, with the nearest existing names. */
export type NotFound = { readonly entity: string; readonly message: string; readonly suggestions: readonly string[] };

/** Returns the phrase in the language of the page. */
export function say({ language }: Pick<Scene, "language">, words: Both): string {
  return inLanguage(words, language);
}

/** Returns the reason of the first missing value that the given value refers to; null if none is missing. */
export function whyMissing(scene: Scene, value: unknown): string | null {
  for (const { reference } of referencesIn(value, "")) {
    const reason = reasonFor(scene, reference);
    if (reason !== null) return reason;
  }
  return null;
}

function reasonFor({ missing }: Scene, { root, path }: Reference): string | null {
  return missing.get(`${root}.${path[0] ?? ""}`) ?? null;
}

/** Returns the labels of required inputs that are used but have no value. */
export function unchosen(scene: Scene): string[] {
  const { inputs, bindings } = scene.blueprint.dataContract;
  const used = new Set([
    ...bindings.filter(({ required }) => required).flatMap(({ paramMapping }: Binding) => inputsIn(paramMapping)),
    ...scene.blueprint.computeGraph.nodes.flatMap(({ toolArgs }) => inputsIn(toolArgs ?? {})),
  ]);
  const given = (scene.input ?? {}) as Record<string, unknown>;
  const isGiven = (id: string) => Object.hasOwn(given, id) && given[id] !== null && given[id] !== "";
  return inputs
    .filter(({ id, required }) => required && used.has(id) && !isGiven(id))
    .map(({ id, label }) => label || id);
}

function inputsIn(value: unknown): string[] {
  return referencesIn(value, "").flatMap(({ reference: { root, path } }) => (root === "input" ? [path[0] ?? ""] : []));
}

/**
 * Returns the reason why the value of a data binding is missing; null if it is available or the binding is no
 * reference.
 */
export function isMissing(scene: Scene, dataBinding: string | null | undefined): string | null {
  const reference = readReference(dataBinding ?? "");
  return reference === null ? null : reasonFor(scene, reference);
}
