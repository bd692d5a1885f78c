// What ids in paths, and members of bodies, queries and parameters, name. An unknown path or member that looks like a
// reference throws: it must be added here.

import * as z from "zod";
import type { OwnedIds } from "../owned-data.ts";
import type { Kind } from "./guess.ts";

/** The kinds of the ids in a path, by its beginning. A schedule has the id of its task. */
const PATH_KINDS: Readonly<Record<string, readonly Kind[]>> = {
  "/api/v1/conversations/{id}": ["conversation", "sub"],
  "/api/v1/tasks/{id}": ["task", "schedule"],
  "/api/v1/schedules/{id}": ["schedule", "task"],
  "/api/v1/agents/{name}": ["agent"],
  "/api/v1/tools/{name}": ["tool"],
  "/api/v1/plan-templates/{id}": ["template"],
  "/api/v1/plan-instances/{id}": ["instance"],
  "/api/v1/datasets/{id}": ["dataset"],
  "/api/v1/pages/{id}": ["page"],
  "/api/v1/pages/{id}/links/{link}": ["link"],
  "/v1/models/{model}": ["agent"],
  "/v1/responses/{id}": ["response"],
  "/a2a/{agent}": ["agent"],
};

/** Members of bodies, queries and parameters that look like references: their kind, or null if they name nothing owned. */
const MEMBER_KINDS: Readonly<Record<string, Kind | null>> = {
  conversation_id: "conversation",
  conversationId: "analysis",
  plan_id: "template",
  agent: "agent",
  agent_id: "agent",
  dataset: "dataset",
  thread_id: "thread",
  request_id: "question",
  model: "agent",
  previous_response_id: "response",
  contextId: "conversation",
  // The ids of commands, of calls and of parts of a document belong to the request.
  id: null,
  call_id: null,
  tool_call_id: null,
  messageId: null,
  main_task_id: null,
  parent_task_id: null,
  listener_id: null,
  trigger_task_id: null,
  slotId: null,
  // An attribute of the data, and positions in lists.
  teacherId: null,
  cursor: null,
};
export const LOOKS_LIKE_REFERENCE = /(?:^|_)ids?$|Ids?$|^(?:agent|dataset|model|conversation|cursor)$/;

/**
 * Members whose kind depends on where they are. A template names its own tasks. A message to a conversation that does not
 * exist creates it, with any id: `isolation.test.ts` has tests of its own for this.
 */
const KINDS_IN_PLACE: Readonly<Record<string, Kind | null>> = {
  "post /api/v1/messages conversation_id": null,
  "schedules id": "schedule",
  "cancel task_id": "task",
  "post /api/v1/conversations/{id}/cancel task_id": "task",
  "post /api/v1/plan-templates task_id": null,
  "put /api/v1/plan-templates/{id} task_id": null,
  "post /api/v1/plan-templates plan_id": null,
  "put /api/v1/plan-templates/{id} plan_id": null,
};

/** Returns the kind of thing that a member names; null for nothing owned. `place` is the operation. */
export function getMemberKind(place: string, member: string): Kind | null {
  const inPlace = KINDS_IN_PLACE[`${place} ${member}`];
  const kind = inPlace === undefined ? MEMBER_KINDS[member] : inPlace;
  if (kind === undefined) throw new Error(`Does ${member} of ${place} name something that a user owns?`);
  return kind;
}

/** Lists the members of a schema that look like references: those at its top, and the names of all others. */
export function listReferences(schema: z.core.$ZodType | null | undefined): { top: string[]; inner: string[] } {
  if (schema === null || schema === undefined) return { top: [], inner: [] };
  const top = new Set<string>();
  const inner = new Set<string>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === "properties" && typeof member === "object" && member !== null)
        for (const name of Object.keys(member as object))
          if (LOOKS_LIKE_REFERENCE.test(name)) (depth === 0 ? top : inner).add(name);
      const isAlternative = /^(anyOf|oneOf|allOf|\d+)$/.test(key);
      visit(member, isAlternative && depth === 0 ? 0 : depth + 1);
    }
  };
  visit(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), 0);
  return { top: [...top], inner: [...inner] };
}

/** Returns the path with the ids: the last parameter is guessed, those before it are the guesser's own. */
export function fillPath(template: string, guessed: string, own: OwnedIds): string {
  const before = template.replace(/\{\w+\}(?!.*\{)/, guessed);
  const [kind] = getPathKinds(before) ?? [];
  return before.replace(/\{\w+\}/, kind === undefined ? "" : own[kind]);
}

/** Returns the kinds of the last parameter of a path; undefined if it has none. */
export function getPathKinds(template: string): readonly Kind[] | undefined {
  const end = template.lastIndexOf("}");
  if (end < 0) return undefined;
  const kinds = PATH_KINDS[template.slice(0, end + 1)];
  if (kinds === undefined) throw new Error(`What do the ids in ${template} name?`);
  return kinds;
}
