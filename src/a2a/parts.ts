// Small things of the A2A data model.

import { Role, type Artifact, type Message, type Part, type TaskState, type TaskStatus } from "@a2a-js/sdk";

export function textPart(text: string): Part {
  return { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" };
}

export function dataPart(value: unknown): Part {
  return { content: { $case: "data", value }, metadata: undefined, filename: "", mediaType: "application/json" };
}

export function statusOf(state: TaskState, message?: Message, at: number = Date.now()): TaskStatus {
  return { state, message, timestamp: new Date(at).toISOString() };
}

type Place = Pick<Message, "contextId" | "taskId">;

export function agentMessage(place: Place, parts: Part[], messageId: string = crypto.randomUUID()): Message {
  return {
    ...place,
    messageId,
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

export function userMessage(place: Place, parts: Part[], messageId: string): Message {
  return {
    ...place,
    messageId,
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

export function artifactOf(artifactId: string, parts: Part[], name = ""): Artifact {
  return { artifactId, name, description: "", parts, metadata: undefined, extensions: [] };
}
