// Converts A2A messages to commands of the runtime.

import { Role, type Message, type Part, type SendMessageRequest } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import * as z from "zod";
import { EVENTS_EXTENSION, messageParamsSchema } from "../../protocol/agents/a2a-extension.ts";
import {
  commandIdSchema,
  resumeCommandSchema,
  sendCommandSchema,
  type ResumeCommand,
  type SendCommand,
} from "../../protocol/wire/commands.ts";
import { formatEnglish } from "../../language/messages.ts";
import { parseNamedValue, parseOrThrow } from "../../protocol/wire/fault.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import { conversationIdSchema } from "../api/id-validation.ts";

/** A message that passed validation. `contextId` and `taskId` are "" if the message names none. */
export type ValidatedMessage = Pick<Message, "messageId" | "contextId" | "taskId"> & {
  readonly message: Message;
  /** True if the message itself activates our extension. */
  readonly usesExtension: boolean;
};

/**
 * Validates the requirements of every message: the role, the parts (text or data, no files) and the form of the message
 * id and context id. Throws an A2A error or `invalid_request`.
 */
export function validateMessage({ message }: SendMessageRequest): ValidatedMessage {
  if (message === undefined) throw new RequestMalformedError(formatEnglish("a2a.messageMissing"));
  const { messageId, contextId, taskId } = message;
  if (message.role !== Role.ROLE_USER) throw new RequestMalformedError("message.role: must be ROLE_USER");
  if (message.parts.length === 0) throw new RequestMalformedError("message.parts: must not be empty");
  parseNamedValue("message.messageId", commandIdSchema, messageId);
  if (contextId !== "") parseNamedValue("message.contextId", conversationIdSchema, contextId);
  for (const part of message.parts) checkPart(part);
  return { messageId, contextId, taskId, message, usesExtension: message.extensions.includes(EVENTS_EXTENSION) };
}

/** The media types that are accepted: text and JSON. */
const READABLE_MEDIA_TYPE = /^(text\/[\w.+-]+|application\/([\w.-]+\+)?json)\s*(;|$)/i;

/** Throws a `ContentTypeNotSupportedError` for files and for media types other than text and JSON. */
function checkPart({ content, mediaType }: Part): void {
  if (content === undefined) throw new RequestMalformedError("message.parts: must contain text or data");
  const isFile = content.$case === "url" || content.$case === "raw";
  if (!isFile && (mediaType === "" || READABLE_MEDIA_TYPE.test(mediaType))) return;
  throw new ContentTypeNotSupportedError({
    message: formatEnglish("a2a.filesUnsupported"),
    metadata: { mediaType: mediaType === "" ? "application/octet-stream" : mediaType.slice(0, 100) },
  });
}

/**
 * Returns the command that starts a thread with this message, for the runtime or for `agent`. Its text is all parts,
 * data as JSON. Language, time zone and context come from the metadata; an invalid context is ignored, because the
 * metadata may have other meanings there. Throws `invalid_request` if the text is empty, and for an invalid language or
 * time zone.
 */
export function toSendCommand({ message }: ValidatedMessage, agent: string | undefined): SendCommand {
  const metadata = message.metadata ?? {};
  const language = parseOption(metadata, "language");
  const timezone = parseOption(metadata, "timezone");
  const context = extractContext(metadata);
  const words = formatParts(message.parts);
  return parseOrThrow(sendCommandSchema, {
    message: words,
    ...(agent === undefined ? {} : { agent }),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(context === undefined ? {} : { context }),
  });
}

/** Returns an option of the message from its metadata; undefined if it is absent or null. Throws `invalid_request`. */
function parseOption(metadata: Readonly<Record<string, unknown>>, name: "language" | "timezone"): string | undefined {
  return parseNamedValue(`message.metadata.${name}`, sendCommandSchema.shape[name], metadata[name] ?? undefined);
}

const objectSchema = z.record(z.string(), z.unknown());

/**
 * Returns the context that another runtime sends to its agents besides their task; undefined if there is none or it is
 * invalid.
 */
function extractContext({
  current_context,
  user_profile,
  dependencies,
}: Readonly<Record<string, unknown>>): SendCommand["context"] {
  const given = {
    ...objectSchema.safeParse(current_context).data,
    ...(user_profile === undefined ? {} : { user_profile }),
    ...(Array.isArray(dependencies) && dependencies.length > 0 ? { dependencies } : {}),
  };
  return Object.keys(given).length === 0 ? undefined : sendCommandSchema.shape.context.safeParse(given).data;
}

/** Joins all parts as lines of text. Data parts are written as JSON. */
function formatParts(parts: readonly Part[]): string {
  return parts
    .map(({ content }) => (content?.$case === "text" ? content.value : toJsonText(content?.value)))
    .join("\n");
}

/** Formats a value as JSON. Throws a `Fault` if it is nested too deeply. */
function toJsonText(value: unknown): string {
  return JSON.stringify(parseOrThrow(jsonValueSchema, value));
}

/** An answer in a data part. All members are optional and may be spread over several parts. */
const answerDataSchema = z.object({
  request_id: z.string().optional(),
  message: z.string().optional(),
  decision: z.enum(["approve", "refuse"]).optional(),
  arguments: objectSchema.optional(),
});

/**
 * Returns the command that answers a question with this message. Its text is the text parts; without them, `message` or
 * `decision` of the data parts; without these, `approve` if arguments were edited, else the data as JSON. Arguments
 * come from the data parts or from our extension. Throws `invalid_request` if the text is empty.
 */
export function toResumeCommand({ message }: ValidatedMessage): ResumeCommand {
  const data = message.parts.flatMap(({ content }) => {
    if (content?.$case !== "data") return [];
    const answer = answerDataSchema.safeParse(content.value).data;
    return answer === undefined ? [] : [answer];
  });
  const {
    request_id,
    message: answerText,
    decision,
    arguments: edited,
  } = Object.assign({}, ...data) as (typeof data)[number];
  const texts = message.parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []));
  const values =
    edited ?? messageParamsSchema.safeParse(message.metadata?.[EVENTS_EXTENSION]).data?.reply?.answer.arguments;
  const fallback = answerText ?? decision ?? (values === undefined ? formatParts(message.parts) : "approve");
  return parseOrThrow(resumeCommandSchema, {
    message: texts.length > 0 ? texts.join("\n") : fallback,
    ...(request_id === undefined ? {} : { request_id }),
    ...(values === undefined ? {} : { arguments: values }),
  });
}
