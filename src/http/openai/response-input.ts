// Parses the input items of the Responses API as messages.
//
// A reference to an item is resolved by the caller, because the item must be read from its conversation.

import * as z from "zod";
import type { AssistantMessage, ChatMessage, ImageInput, ToolCall } from "../../core/ports.ts";
import { quote } from "./answer-parameters.ts";
import { parseImage } from "./image-part.ts";
import { OpenAiError } from "./openai-error.ts";
import type { OutputItem } from "./response-object.ts";

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const contentSchema = z.union([z.string(), z.array(partSchema)]);
const messageSchema = z.looseObject({
  type: z.literal("message").optional(),
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: contentSchema,
});
const callSchema = z.looseObject({
  type: z.literal("function_call"),
  call_id: z.string().min(1).max(256),
  name: z.string(),
  arguments: z.string(),
});
const resultSchema = z.looseObject({
  type: z.literal("function_call_output"),
  call_id: z.string().min(1).max(256),
  output: contentSchema,
});
const referenceSchema = z.looseObject({ type: z.literal("item_reference").nullish(), id: z.string() });
const ignoredSchema = z.looseObject({ type: z.literal("reasoning") });
const inputItemSchema = z.union([callSchema, resultSchema, ignoredSchema, messageSchema, referenceSchema]);

export const inputSchema = z.union([z.string(), z.array(inputItemSchema).min(1).max(2_000)]);
type InputItem = z.infer<typeof inputItemSchema>;
type InputPart = z.infer<typeof partSchema>;

/**
 * Converts the input to messages. `findItem` returns the output item that a reference names; it throws for unknown ids.
 * Reasoning is left out. Throws an `OpenAiError` (400) for content that is not supported.
 */
export async function parseInput(
  input: z.infer<typeof inputSchema>,
  findItem: (id: string) => Promise<OutputItem>,
): Promise<ChatMessage[]> {
  if (typeof input === "string") return [{ role: "user", content: input }];
  const messages: ChatMessage[] = [];
  for (const [i, item] of input.entries()) {
    const isReference = !("role" in item) && item.type !== "reasoning" && "id" in item && !("call_id" in item);
    const message = isReference ? toOutputMessage(await findItem(String(item.id))) : toMessage(item, `input.${i}`);
    const last = messages.at(-1);
    if (message === null) continue;
    if (message.role === "assistant" && last?.role === "assistant")
      messages[messages.length - 1] = joinMessages(last, message);
    else messages.push(message);
  }
  return messages;
}

/** Joins a message of the assistant with the calls that follow it as items of their own. */
function joinMessages(before: AssistantMessage, after: AssistantMessage): AssistantMessage {
  const content = [before.content, after.content].filter((text) => text !== "").join("\n\n");
  const toolCalls: ToolCall[] = [...(before.toolCalls ?? []), ...(after.toolCalls ?? [])];
  return { role: "assistant", content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}

function toMessage(item: InputItem, param: string): ChatMessage | null {
  if ("role" in item && "content" in item) return toTextMessage(item as z.infer<typeof messageSchema>, param);
  switch (item.type) {
    case "function_call":
      return toCallMessage(item);
    case "function_call_output":
      return { role: "tool", toolCallId: item.call_id, content: joinText(item.output, `${param}.output`) };
    default:
      return null;
  }
}

function toCallMessage({ call_id: id, name, arguments: args }: z.infer<typeof callSchema>): ChatMessage {
  return { role: "assistant", content: "", toolCalls: [{ id, name, arguments: args }] };
}

/** Converts an item of an earlier response; null for reasoning. */
function toOutputMessage(item: OutputItem): ChatMessage | null {
  switch (item.type) {
    case "message":
      return { role: "assistant", content: item.content.map(formatOutputPart).join("") };
    case "function_call":
      return toCallMessage(item);
    case "reasoning":
      return null;
  }
}

const formatOutputPart = (part: Extract<OutputItem, { type: "message" }>["content"][number]): string =>
  part.type === "refusal" ? part.refusal : part.text;

function toTextMessage({ role, content }: z.infer<typeof messageSchema>, param: string): ChatMessage {
  const parts = typeof content === "string" ? [] : content;
  const images = role === "user" ? parts.flatMap((part, i) => parseImagePart(part, `${param}.content.${i}`)) : [];
  const texts = role === "user" && images.length > 0 ? parts.filter(({ type }) => type !== "input_image") : content;
  const text = joinText(texts, `${param}.content`);
  if (role === "user") return { role, content: text, ...(images.length === 0 ? {} : { images }) };
  return { role: role === "assistant" ? role : "system", content: text };
}

function parseImagePart({ type, image_url: url, detail }: InputPart, param: string): ImageInput[] {
  if (type !== "input_image") return [];
  if (typeof url === "string") return [parseImage({ url, detail }, param)];
  throw new OpenAiError(400, "unsupported_content", `${param}: must have an image_url`, { param });
}

/** Returns the text of a content. Throws an `OpenAiError` for files, audio, and images outside of user messages. */
function joinText(content: z.infer<typeof contentSchema>, param: string): string {
  if (typeof content === "string") return content;
  return content.map((part, i) => readTextPart(part, `${param}.${i}`)).join("\n");
}

function readTextPart({ type, text, refusal }: InputPart, param: string): string {
  if ((type === "input_text" || type === "output_text" || type === "text") && text !== undefined) return text;
  if (type === "refusal" && typeof refusal === "string") return refusal;
  throw new OpenAiError(400, "unsupported_content", `${param}: must be text, not ${quote(type)}`, { param });
}
