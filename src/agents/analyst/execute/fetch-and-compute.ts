// The first two phases of an execution: fetches the data, then computes with tools. Independent calls run concurrently.

import type { DataBinding, ComputeNode } from "../../../protocol/pages/blueprint-schema.ts";
import { createMessage, type Message } from "../../../language/messages.ts";
import { MAX_QUERY_ROWS } from "../../../protocol/datasets/dataset.ts";
import { getBindingDependencies, getNodeDependencies } from "../blueprint/blueprint-parts.ts";
import { callPageTool, type ToolCallOutcome } from "./page-tool-call.ts";
import { runInDependencyOrder, type DependencyGraph } from "../../../lib/graph.ts";
import { findReferences, resolveRecord } from "../blueprint/value-references.ts";
import {
  localizeText,
  findMissingReason,
  type MissingEntity,
  type PageBuild,
  type EmitPageEvent,
  createPageFailure,
} from "./page-build.ts";
import { isRecord } from "../blocks/data-shapes.ts";
import type { Failure } from "../../../protocol/wire/message-error.ts";

const MAX_CONCURRENT_CALLS = 5;

/**
 * F110. Fetches all bindings into `build.data`, in the order of their dependencies, and emits the tool calls. A failed
 * optional binding is recorded as missing. If a required binding fails, aborts the others and rejects with a
 * `Failure` (`page_failed`). Rejects with the reason of the signal if it aborts.
 */
export async function fetchData(build: PageBuild, emit: EmitPageEvent): Promise<void> {
  const bindings = new Map(build.blueprint.dataContract.bindings.map((binding) => [binding.id, binding]));
  await runAllOrAbort(build, getBindingDependencies(build.blueprint), bindings, (binding, signal) =>
    fetchBinding(build, emit, binding, signal),
  );
}

/**
 * F111. Runs all tool nodes, but not AI nodes, and stores their results in `build.compute` by output key. A node whose
 * data is missing is recorded as missing. If a node fails or its input is truncated, aborts the others and rejects with
 * a `Failure` (`page_failed`). Rejects with the reason of the signal if it aborts.
 */
export async function computeNodes(build: PageBuild, emit: EmitPageEvent): Promise<void> {
  const nodes = new Map(
    build.blueprint.computeGraph.nodes.filter(({ type }) => type === "tool").map((node) => [node.id, node]),
  );
  await runAllOrAbort(build, getNodeDependencies(build.blueprint), nodes, (node, signal) =>
    computeNode(build, emit, node, signal),
  );
}

/**
 * Runs the work for all members in the order of their dependencies. The first failure aborts the others and is thrown.
 */
async function runAllOrAbort<T>(
  build: PageBuild,
  dependencies: DependencyGraph,
  all: ReadonlyMap<string, T>,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([build.signal, stop.signal]);
  const ownDependencies = new Map([...all.keys()].map((id) => [id, dependencies.get(id) ?? []]));
  await runInDependencyOrder(ownDependencies, MAX_CONCURRENT_CALLS, async (id) => {
    const item = all.get(id);
    try {
      signal.throwIfAborted();
      if (item !== undefined) await work(item, signal);
    } catch (thrown) {
      stop.abort(thrown);
      throw thrown;
    }
  });
}

/** Fetches one binding and stores its value or the reason why it is missing. */
async function fetchBinding(
  build: PageBuild,
  emit: EmitPageEvent,
  binding: DataBinding,
  signal: AbortSignal,
): Promise<void> {
  const { id, paramMapping, required } = binding;
  const outcome = await resolveBinding(build, emit, binding, signal);
  if (outcome.ok) {
    build.data[id] = outcome.value;
    return;
  }
  if (required) throw createBuildError(build, outcome);
  build.missing.set(`data.${id}`, findMissingReason(build, paramMapping) ?? outcome.message);
}

/**
 * Returns the value of a binding: static values, or the result of its tool. A static binding with only `value` returns
 * that value. A query that feeds a computation gets the maximum row limit by default.
 */
async function resolveBinding(
  build: PageBuild,
  emit: EmitPageEvent,
  binding: DataBinding,
  signal: AbortSignal,
): Promise<ToolCallOutcome> {
  const { id, sourceType, toolName, paramMapping } = binding;
  const reason = findMissingReason(build, paramMapping);
  if (reason !== null) return { ok: false, message: reason, notFound: null };
  if (sourceType === "static") {
    const values = resolveRecord(paramMapping, build);
    const names = Object.keys(values);
    return { ok: true, value: names.length === 1 && names[0] === "value" ? values["value"] : values };
  }
  const resolvedArgs = resolveArguments(build, toolName, paramMapping);
  const needsAllRows = toolName === "query_dataset" && isUsedInComputation(build, id);
  const args = needsAllRows ? { limit: MAX_QUERY_ROWS, ...resolvedArgs } : resolvedArgs;
  return await callPageTool(build, emit, { callId: id, tool: toolName ?? "", args, signal, isShown: false });
}

/**
 * Runs one tool node. Throws a `Failure` (`page_failed`) if it fails or its input was truncated, because statistics of
 * a part would be wrong.
 */
async function computeNode(
  build: PageBuild,
  emit: EmitPageEvent,
  node: ComputeNode,
  signal: AbortSignal,
): Promise<void> {
  const { id, outputKey, toolName } = node;
  const toolArgs = node.toolArgs ?? {};
  const reason = findMissingReason(build, toolArgs);
  if (reason !== null) return void build.missing.set(`compute.${outputKey}`, reason);
  if (hasTruncatedInput(build, toolArgs))
    throw createPhaseFailure(build, createMessage("analyst.tooManyRows", { max: MAX_QUERY_ROWS }));
  const args = resolveArguments(build, toolName, toolArgs);
  const outcome = await callPageTool(build, emit, { callId: id, tool: toolName ?? "", args, signal, isShown: true });
  if (!outcome.ok) throw createBuildError(build, outcome);
  build.compute[outputKey] = outcome.value;
}

/** True if a compute node uses the result of the binding. */
function isUsedInComputation({ blueprint }: PageBuild, id: string): boolean {
  const references = blueprint.computeGraph.nodes.flatMap(({ toolArgs }) => findReferences(toolArgs ?? {}, ""));
  return references.some(({ reference: { root, path } }) => root === "data" && path[0] === id);
}

/** True if the arguments refer to a query result that reached the maximum number of rows. */
function hasTruncatedInput({ data }: PageBuild, args: unknown): boolean {
  return findReferences(args, "").some(({ reference: { root, path } }) => {
    const answer = root === "data" ? data[path[0] ?? ""] : null;
    if (!isRecord(answer) || answer["is_truncated"] !== true) return false;
    return Array.isArray(answer["rows"]) && answer["rows"].length >= MAX_QUERY_ROWS;
  });
}

/** Resolves the references in the arguments. Drops arguments that are null, unless the tool requires them. */
function resolveArguments(
  build: PageBuild,
  toolName: string | null | undefined,
  unresolvedArgs: Readonly<Record<string, unknown>>,
) {
  const parameters = build.tools.infos.find(({ name }) => name === toolName)?.parameters ?? {};
  const required = Array.isArray(parameters["required"]) ? parameters["required"] : [];
  const args = Object.entries(resolveRecord(unresolvedArgs, build)).filter(
    ([name, value]) => value !== null || required.includes(name),
  );
  return Object.fromEntries(args);
}

/** Creates the error that ends the execution, with suggestions if a named thing does not exist. */
function createBuildError(build: PageBuild, { message, notFound }: Extract<ToolCallOutcome, { ok: false }>): Failure {
  const suggestions = notFound?.suggestions ?? [];
  const reason =
    suggestions.length === 0 ? message : createMessage("analyst.didYouMean", { reason: message, suggestions });
  return createPhaseFailure(build, reason, notFound);
}

function createPhaseFailure(
  build: PageBuild,
  reason: Message | string,
  notFound: MissingEntity | null = null,
): Failure {
  return createPageFailure(localizeText(build, createMessage("analyst.pageFailed", { reason })), notFound);
}
