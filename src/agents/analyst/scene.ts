// What one execution of a blueprint works with and has found so far.

import type { Binding, Blueprint } from "../../protocol/blueprint.ts";
import type { PageEvent } from "../../protocol/page.ts";
import type { Both } from "../../protocol/words/language.ts";
import { inLanguage } from "./language.ts";
import type { Mind } from "./mind.ts";
import { readReference, referencesIn, type Reference } from "./references.ts";
import type { Tools } from "./tools.ts";

export type Tell = (event: PageEvent) => void;
export type Result = { readonly tool: string; readonly args: Record<string, unknown>; readonly result: unknown };

export type Scene = Mind & {
  readonly blueprint: Blueprint;
  readonly language: string;
  readonly tools: Tools;
  readonly context: Record<string, unknown>;
  readonly input: unknown;
  /** By the ids of bindings and the output keys of nodes; what AI nodes wrote is in `compute` as well. */
  readonly data: Record<string, unknown>;
  readonly compute: Record<string, unknown>;
  /** What tools have answered, in the order of the answers. */
  readonly results: Result[];
  /** Why something is not there, by the beginning of the references to it: `data.grades`; of a text, `slot.` and its slot. */
  readonly missing: Map<string, string>;
};

/** Ends the execution with words for the person. */
export class Halt extends Error {
  override readonly name = "Halt";
  readonly notFound: NotFound | null;

  constructor(message: string, notFound: NotFound | null = null) {
    super(message);
    this.notFound = notFound;
  }
}

/** Something asked for that does not exist, and the nearest names. */
export type NotFound = { readonly entity: string; readonly message: string; readonly suggestions: readonly string[] };

export function say({ language }: Pick<Scene, "language">, words: Both): string {
  return inLanguage(words, language);
}

/** Why a value cannot be had: the reason of the first thing in it that is missing; null when it can. */
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

/** The required inputs without a value that something refers to, by their labels. */
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

export function isMissing(scene: Scene, dataBinding: string | null | undefined): string | null {
  const reference = readReference(dataBinding ?? "");
  return reference === null ? null : reasonFor(scene, reference);
}
