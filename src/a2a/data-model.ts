// Constructors for parts, messages, artifacts and statuses of the A2A data model.

import { Role, type Artifact, type Message, type Part, type TaskState, type TaskStatus } from "@a2a-js/sdk";

/** Creates a part with plain text and no media type. */
export function createTextPart(text: string): Part {
  return { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" };
}

/** Creates a part with a JSON value. The value is not copied. */
export function createDataPart(value: unknown): Part {
  return { content: { $case: "data", value }, metadata: undefined, filename: "", mediaType: "application/json" };
}

/** Creates a task status. `at` is in ms since the epoch; the timestamp is ISO 8601 in UTC. */
export function createTaskStatus(state: TaskState, message?: Message, at: number = Date.now()): TaskStatus {
  return { state, message, timestamp: new Date(at).toISOString() };
}

/** The ids of the A2A context and task to which a message belongs. */
type MessageScope = Pick<Message, "contextId" | "taskId">;

/** Creates a message with the role of the agent. Without `messageId` it gets a random UUID. */
export function createAgentMessage(scope: MessageScope, parts: Part[], messageId?: string): Message {
  return createMessage(Role.ROLE_AGENT, scope, parts, messageId ?? crypto.randomUUID());
}

/** Creates a message with the role of the user. The caller sets the id, so that a repeated message keeps its id. */
export function createUserMessage(scope: MessageScope, parts: Part[], messageId: string): Message {
  return createMessage(Role.ROLE_USER, scope, parts, messageId);
}

function createMessage(role: Role, scope: MessageScope, parts: Part[], messageId: string): Message {
  return { ...scope, messageId, role, parts, metadata: undefined, extensions: [], referenceTaskIds: [] };
}

/** Creates an artifact with these parts, without a description and metadata. */
export function createArtifact(artifactId: string, parts: Part[], name = ""): Artifact {
  return { artifactId, name, description: "", parts, metadata: undefined, extensions: [] };
}
