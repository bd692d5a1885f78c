// The first two phases of an execution: fetches the data, then computes with tools. Independent calls run concurrently.

import type { Binding, ComputeNode } from "../../protocol/blueprint.ts";
import { MAX_QUERY_ROWS } from "../../protocol/dataset.ts";
import { bindingNeeds, nodeNeeds } from "./blueprint-parts.ts";
import { callTool, type Outcome } from "./execute-call.ts";
import { CUT, FAILED, NOT_FOUND } from "./execute-phrases.ts";
import { sideBySide, type Needs } from "./graph.ts";
import { referencesIn, resolveAll } from "./references.ts";
import { Halt, say, whyMissing, type Scene, type Tell } from "./scene.ts";
import { isRecord } from "./shapes.ts";

const MOST_AT_ONCE = 5;

/**
 * F110. Fetches all bindings into `build.data`, in the order of their dependencies. A failed optional binding is
 * recorded as missing. Throws a `Halt` if a required one fails.
 */
export async function fetchData(scene: Scene, tell: Tell): Promise<void> {
  const bindings = new Map(scene.blueprint.dataContract.bindings.map((binding) => [binding.id, binding]));
  await together(scene, bindingNeeds(scene.blueprint), bindings, (binding, signal) =>
    fetchOne(scene, tell, binding, signal),
  );
}

/**
 * F111. Runs all tool nodes and stores their results in `build.compute`. A node whose data is missing is recorded as
 * missing. Throws a `Halt` if a node fails.
 */
export async function compute(scene: Scene, tell: Tell): Promise<void> {
  const nodes = new Map(
    scene.blueprint.computeGraph.nodes.filter(({ type }) => type === "tool").map((node) => [node.id, node]),
  );
  await together(scene, nodeNeeds(scene.blueprint), nodes, (node, signal) => computeOne(scene, tell, node, signal));
}

/**
 * Runs the work for all members in the order of their dependencies. The first failure aborts the others and is thrown.
 */
async function together<T>(
  scene: Scene,
  needs: Needs,
  all: ReadonlyMap<string, T>,
  work: (one: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([scene.signal, stop.signal]);
  const own = new Map([...all.keys()].map((id) => [id, needs.get(id) ?? []]));
  await sideBySide(own, MOST_AT_ONCE, async (id) => {
    const one = all.get(id);
    try {
      signal.throwIfAborted();
      if (one !== undefined) await work(one, signal);
    } catch (thrown) {
      stop.abort(thrown);
      throw thrown;
    }
  });
}

/** Fetches one binding and stores its value or the reason why it is missing. */
async function fetchOne(scene: Scene, tell: Tell, binding: Binding, signal: AbortSignal): Promise<void> {
  const { id, paramMapping, required } = binding;
  const outcome = await outcomeFor(scene, tell, binding, signal);
  if (outcome.ok) {
    scene.data[id] = outcome.value;
    return;
  }
  if (required) throw haltFor(scene, outcome);
  scene.missing.set(`data.${id}`, whyMissing(scene, paramMapping) ?? outcome.message);
}

/**
 * Returns the value of a binding: static values, or the result of its tool. A static binding with only `value` returns
 * that value. A query that feeds a computation gets the maximum row limit by default.
 */
async function outcomeFor(scene: Scene, tell: Tell, binding: Binding, signal: AbortSignal): Promise<Outcome> {
  const { id, sourceType, toolName, paramMapping } = binding;
  const reason = whyMissing(scene, paramMapping);
  if (reason !== null) return { ok: false, message: reason, notFound: null };
  if (sourceType === "static") {
    const values = resolveAll(paramMapping, scene);
    const names = Object.keys(values);
    return { ok: true, value: names.length === 1 && names[0] === "value" ? values["value"] : values };
  }
  const given = argumentsFor(scene, toolName, paramMapping);
  const isWhole = toolName === "query_dataset" && isReckonedWith(scene, id);
  const args = isWhole ? { limit: MAX_QUERY_ROWS, ...given } : given;
  return await callTool(scene, tell, { callId: id, tool: toolName ?? "", args, signal, isShown: false });
}

/** Runs one tool node. Throws a `Halt` if its input was truncated, because statistics of a part would be wrong. */
async function computeOne(scene: Scene, tell: Tell, node: ComputeNode, signal: AbortSignal): Promise<void> {
  const { id, outputKey, toolName } = node;
  const toolArgs = node.toolArgs ?? {};
  const reason = whyMissing(scene, toolArgs);
  if (reason !== null) return void scene.missing.set(`compute.${outputKey}`, reason);
  if (isCut(scene, toolArgs)) throw new Halt(say(scene, FAILED(say(scene, CUT(MAX_QUERY_ROWS)))));
  const args = argumentsFor(scene, toolName, toolArgs);
  const outcome = await callTool(scene, tell, { callId: id, tool: toolName ?? "", args, signal, isShown: true });
  if (!outcome.ok) throw haltFor(scene, outcome);
  scene.compute[outputKey] = outcome.value;
}

/** True if a compute node uses the result of the binding. */
function isReckonedWith({ blueprint }: Scene, id: string): boolean {
  const needs = blueprint.computeGraph.nodes.flatMap(({ toolArgs }) => referencesIn(toolArgs ?? {}, ""));
  return needs.some(({ reference: { root, path } }) => root === "data" && path[0] === id);
}

/** True if the arguments refer to a query result that reached the maximum number of rows. */
function isCut({ data }: Scene, args: unknown): boolean {
  return referencesIn(args, "").some(({ reference: { root, path } }) => {
    const answer = root === "data" ? data[path[0] ?? ""] : null;
    if (!isRecord(answer) || answer["is_truncated"] !== true) return false;
    return Array.isArray(answer["rows"]) && answer["rows"].length >= MAX_QUERY_ROWS;
  });
}

/** Resolves the references in the arguments. Drops arguments that are null, unless the tool requires them. */
function argumentsFor(scene: Scene, toolName: string | null | undefined, given: Readonly<Record<string, unknown>>) {
  const parameters = scene.tools.infos.find(({ name }) => name === toolName)?.parameters ?? {};
  const required = Array.isArray(parameters["required"]) ? parameters["required"] : [];
  const args = Object.entries(resolveAll(given, scene)).filter(
    ([name, value]) => value !== null || required.includes(name),
  );
  return Object.fromEntries(args);
}

/** Creates the error that ends the execution, with suggestions if a named thing does not exist. */
function haltFor(scene: Scene, { message, notFound }: Extract<Outcome, { ok: false }>): Halt {
  const words = notFound === null ? message : say(scene, NOT_FOUND(message, notFound.suggestions.join(", ")));
  return new Halt(say(scene, FAILED(words)), notFound);
}
