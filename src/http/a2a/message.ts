// Converts A2A messages to commands of the runtime.

import { Role, type Message, type Part, type SendMessageRequest } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import * as z from "zod";
import { EVENTS_EXTENSION, messageParamsSchema } from "../../protocol/a2a.ts";
import { commandIdSchema, resumeSchema, sendSchema, type Resume, type Send } from "../../protocol/commands.ts";
import { parseAt, parseWith } from "../../protocol/fault.ts";
import { jsonSchema } from "../../protocol/json.ts";
import { conversationIdSchema } from "../ids.ts";

/** A message that passed validation. `contextId` and `taskId` are "" if the message names none. */
export type Sent = Pick<Message, "messageId" | "contextId" | "taskId"> & {
  readonly message: Message;
  /** True if the message itself activates our extension. */
  readonly isOurs: boolean;
};

/** Validates the requirements of every message: role, parts and ids. Throws an A2A error or a `Fault`. */
export function sentIn({ message }: SendMessageRequest): Sent {
  if (message === undefined) throw new RequestMalformedError("The request needs a message.");
  const { messageId, contextId, taskId } = message;
  if (message.role !== Role.ROLE_USER) throw new RequestMalformedError("message.role: must be ROLE_USER");
  if (message.parts.length === 0) throw new RequestMalformedError("message.parts: at least one part is required");
  parseAt("message.messageId", commandIdSchema, messageId);
  if (contextId !== "") parseAt("message.contextId", conversationIdSchema, contextId);
  for (const part of message.parts) checkPart(part);
  return { messageId, contextId, taskId, message, isOurs: message.extensions.includes(EVENTS_EXTENSION) };
}

/** The media types that are accepted: text and JSON. */
const READABLE = /^(text\/[\w.+-]+|application\/([\w.-]+\+)?json)\s*(;|$)/i;

/** Throws a `ContentTypeNotSupportedError` for files and for media types other than text and JSON. */
function checkPart({ content, mediaType }: Part): void {
  if (content === undefined) throw new RequestMalformedError("message.parts: a part needs text or data");
  const isFile = content.$case === "url" || content.$case === "raw";
  if (!isFile && (mediaType === "" || READABLE.test(mediaType))) return;
  throw new ContentTypeNotSupportedError({
    message: "Messages are read as text and JSON data; files are not.",
    metadata: { mediaType: mediaType === "" ? "application/octet-stream" : mediaType.slice(0, 100) },
  });
}

/**
 * Returns the command that starts a thread with this message, for the runtime or for `agent`. Language and time zone
 * come from the metadata; invalid values are ignored. Throws a `Fault` if the text is empty or too long.
 */
export function sendOf({ message }: Sent, agent: string | undefined): Send {
  const metadata = message.metadata ?? {};
  const language = sendSchema.shape.language.safeParse(metadata["language"]).data;
  const timezone = sendSchema.shape.timezone.safeParse(metadata["timezone"]).data;
  const context = contextIn(metadata);
  const words = wordsOf(message.parts);
  return parseWith(sendSchema, {
    message: words,
    ...(agent === undefined ? {} : { agent }),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(context === undefined ? {} : { context }),
  });
}

const objectSchema = z.record(z.string(), z.unknown());

/**
 * Returns the context that another runtime sends to its agents besides their task; undefined if there is none or it is
 * invalid.
 */
function contextIn({
  current_context,
  user_profile,
  dependencies,
}: Readonly<Record<string, unknown>>): Send["context"] {
  const given = {
    ...objectSchema.safeParse(current_context).data,
    ...(user_profile === undefined ? {} : { user_profile }),
    ...(Array.isArray(dependencies) && dependencies.length > 0 ? { dependencies } : {}),
  };
  return Object.keys(given).length === 0 ? undefined : sendSchema.shape.context.safeParse(given).data;
}

/** Joins all parts as lines of text. Data parts are written as JSON. */
function wordsOf(parts: readonly Part[]): string {
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : jsonText(content?.value))).join("\n");
}

/** Formats a value as JSON. Throws a `Fault` if it is nested too deeply. */
function jsonText(value: unknown): string {
  return JSON.stringify(parseWith(jsonSchema, value));
}

/** An answer in a data part. All members are optional and may be spread over several parts. */
const answerDataSchema = z.object({
  request_id: z.string().optional(),
  message: z.string().optional(),
  decision: z.enum(["approve", "refuse"]).optional(),
  arguments: objectSchema.optional(),
});

/**
 * Returns the command that answers a question with this message. Text parts are the answer; data parts may contain
 * `decision`, `arguments` and `request_id`. Text takes precedence over data. Edited arguments without text approve.
 */
export function answerOf({ message }: Sent): Resume {
  const data = message.parts.flatMap(({ content }) => {
    if (content?.$case !== "data") return [];
    const answer = answerDataSchema.safeParse(content.value).data;
    return answer === undefined ? [] : [answer];
  });
  const {
    request_id,
    message: said,
    decision,
    arguments: edited,
  } = Object.assign({}, ...data) as (typeof data)[number];
  const texts = message.parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []));
  const values =
    edited ?? messageParamsSchema.safeParse(message.metadata?.[EVENTS_EXTENSION]).data?.reply?.answer.arguments;
  const fallback = said ?? decision ?? (values === undefined ? wordsOf(message.parts) : "approve");
  return parseWith(resumeSchema, {
    message: texts.length > 0 ? texts.join("\n") : fallback,
    ...(request_id === undefined ? {} : { request_id }),
    ...(values === undefined ? {} : { arguments: values }),
  });
}
