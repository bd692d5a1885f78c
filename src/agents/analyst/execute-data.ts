// The first two phases: data is fetched, then tools compute from it. What does not need one another runs side by side.

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

/** F110. Throws a `Halt` when something that is required cannot be had. */
export async function fetchData(scene: Scene, tell: Tell): Promise<void> {
  const bindings = new Map(scene.blueprint.dataContract.bindings.map((binding) => [binding.id, binding]));
  await together(scene, bindingNeeds(scene.blueprint), bindings, (binding, signal) =>
    fetchOne(scene, tell, binding, signal),
  );
}

/** F111. Throws a `Halt` when a node fails. One that needs data that could not be had is left out, as that was. */
export async function compute(scene: Scene, tell: Tell): Promise<void> {
  const nodes = new Map(
    scene.blueprint.computeGraph.nodes.filter(({ type }) => type === "tool").map((node) => [node.id, node]),
  );
  await together(scene, nodeNeeds(scene.blueprint), nodes, (node, signal) => computeOne(scene, tell, node, signal));
}

/** Works on all as they need one another. The first that fails stops the others. */
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

/** Whether a node takes what a binding brings: a query that does not say how many rows means all of them. */
function isReckonedWith({ blueprint }: Scene, id: string): boolean {
  const needs = blueprint.computeGraph.nodes.flatMap(({ toolArgs }) => referencesIn(toolArgs ?? {}, ""));
  return needs.some(({ reference: { root, path } }) => root === "data" && path[0] === id);
}

/** Whether arguments are of a query that had more rows than any can answer: what is reckoned of the first is not of all. */
function isCut({ data }: Scene, args: unknown): boolean {
  return referencesIn(args, "").some(({ reference: { root, path } }) => {
    const answer = root === "data" ? data[path[0] ?? ""] : null;
    if (!isRecord(answer) || answer["is_truncated"] !== true) return false;
    return Array.isArray(answer["rows"]) && answer["rows"].length >= MAX_QUERY_ROWS;
  });
}

/** The arguments as they are now. What turns out to be nothing is left out where it may be. */
function argumentsFor(scene: Scene, toolName: string | null | undefined, given: Readonly<Record<string, unknown>>) {
  const parameters = scene.tools.infos.find(({ name }) => name === toolName)?.parameters ?? {};
  const required = Array.isArray(parameters["required"]) ? parameters["required"] : [];
  const args = Object.entries(resolveAll(given, scene)).filter(
    ([name, value]) => value !== null || required.includes(name),
  );
  return Object.fromEntries(args);
}

function haltFor(scene: Scene, { message, notFound }: Extract<Outcome, { ok: false }>): Halt {
  const words = notFound === null ? message : say(scene, NOT_FOUND(message, notFound.suggestions.join(", ")));
  return new Halt(say(scene, FAILED(words)), notFound);
}
