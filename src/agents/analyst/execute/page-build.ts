// The state of one execution of a blueprint. `executeBlueprint` creates it and passes it to the three phases.
//
// `data` and `compute` hold the values that references resolve to; `missing` holds the reasons for values that could
// not be produced. The phases only add members: fetching writes `data`, computing writes `compute`, and writing texts
// adds the output of AI nodes to `compute`. Members are written by concurrent tasks, but each key by one task only. A
// `PageBuild` lives in memory and is dropped when the execution ends; only `results` are stored, as the snapshot of the
// page.

import type { DataBinding, Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageEvent } from "../../../protocol/pages/page.ts";
import type { PageSnapshot } from "../../../protocol/pages/stored-page.ts";
import type { Message, MessageKey } from "../../../language/messages.ts";
import { localize } from "../localize.ts";
import type { ModelContext } from "../model-context.ts";
import { parseReference, findReferences, type ValueReference } from "../blueprint/value-references.ts";
import type { AnalystTools } from "../tools.ts";
import { Failure } from "../../../protocol/wire/message-error.ts";

/** Sends an event to the readers of the page. */
export type EmitPageEvent = (event: PageEvent) => void;

/** The state of one execution. */
export type PageBuild = ModelContext & {
  readonly blueprint: Blueprint;
  readonly language: string;
  readonly tools: AnalystTools;
  readonly context: Record<string, unknown>;
  readonly input: unknown;
  /** Values by binding id, and by output key of a node. The texts of AI nodes are in `compute` too. */
  readonly data: Record<string, unknown>;
  readonly compute: Record<string, unknown>;
  /** Successful tool results in the order of their arrival. Long lists in `args` are shortened. */
  readonly results: PageSnapshot["results"];
  /**
   * Reasons for missing values by the start of their reference, such as `data.grades`; missing texts as `slot.` and the
   * slot id.
   */
  readonly missing: Map<string, string>;
};

/**
 * Creates the failure (`page_failed`) that ends the execution. The message is written for the person; `notFound` is set
 * if a named thing does not exist.
 */
export function createPageFailure(message: string, notFound: MissingEntity | null = null): Failure {
  return new Failure("page_failed", message, notFound === null ? {} : { detail: notFound });
}

/** A named thing that does not exist, with the nearest existing names. */
export type MissingEntity = {
  readonly entity: string;
  readonly message: string;
  readonly suggestions: readonly string[];
};

/** Formats a message in the language of the page. */
export function localizeText({ language }: Pick<PageBuild, "language">, message: MessageKey | Message): string {
  return localize(message, language);
}

/** Returns the reason of the first missing value that a reference in `value` points to; null if none is missing. */
export function findMissingReason(build: PageBuild, value: unknown): string | null {
  for (const { reference } of findReferences(value, "")) {
    const reason = getMissingReason(build, reference);
    if (reason !== null) return reason;
  }
  return null;
}

function getMissingReason({ missing }: PageBuild, { root, path }: ValueReference): string | null {
  return missing.get(`${root}.${path[0] ?? ""}`) ?? null;
}

/** Returns the labels (or ids) of required inputs without a value that a required binding or a compute node uses. */
export function listUnchosenInputs(build: PageBuild): string[] {
  const { inputs, bindings } = build.blueprint.dataContract;
  const usedIds = new Set([
    ...bindings
      .filter(({ required }) => required)
      .flatMap(({ paramMapping }: DataBinding) => findInputIds(paramMapping)),
    ...build.blueprint.computeGraph.nodes.flatMap(({ toolArgs }) => findInputIds(toolArgs ?? {})),
  ]);
  const inputValues = (build.input ?? {}) as Record<string, unknown>;
  const isGiven = (id: string) => Object.hasOwn(inputValues, id) && inputValues[id] !== null && inputValues[id] !== "";
  return inputs
    .filter(({ id, required }) => required && usedIds.has(id) && !isGiven(id))
    .map(({ id, label }) => label || id);
}

function findInputIds(value: unknown): string[] {
  return findReferences(value, "").flatMap(({ reference: { root, path } }) =>
    root === "input" ? [path[0] ?? ""] : [],
  );
}

/**
 * Returns the reason why the value of a data binding is missing; null if it is available or the binding is no
 * reference.
 */
export function getBindingMissingReason(build: PageBuild, dataBinding: string | null | undefined): string | null {
  const reference = parseReference(dataBinding ?? "");
  return reference === null ? null : getMissingReason(build, reference);
}
