// The ids of responses and of their items. A response is a thread from one message on: up to its end, or to a question. Its
// id contains the ids of conversation and thread and the `seq` of the message, so nothing has to be stored. The ids work
// only for their user, because every object is addressed by user (U1).

import { formatEnglish } from "../../language/messages.ts";
import { OpenAiError } from "./openai-error.ts";

export type ResponseRef = { readonly conversation: string; readonly thread: string; readonly seq: number };

/** The kinds of items: a message, a call of a client tool, reasoning. */
export type ItemKind = "msg" | "fc" | "rs";

const REF = "(\\d{1,15})_([0-9a-f]{32})_([A-Za-z0-9_-]{1,128})";
const RESPONSE_ID = new RegExp(`^resp_${REF}$`);
const ITEM_ID = new RegExp(`^(?:msg|fc|rs)_\\d{1,4}_${REF}$`);

const formatRef = ({ conversation, thread, seq }: ResponseRef): string =>
  `${seq}_${thread.slice("th-".length)}_${conversation}`;

export const formatResponseId = (ref: ResponseRef): string => `resp_${formatRef(ref)}`;

/** Formats the id of an item. `number` counts the items of its kind from 0, because only these are the same in a stream. */
export const formatItemId = (kind: ItemKind, number: number, ref: ResponseRef): string =>
  `${kind}_${number}_${formatRef(ref)}`;

/** Parses a response id. Throws an `OpenAiError` (404) for an id of another form. */
export function parseResponseId(id: string): ResponseRef {
  return toRef(RESPONSE_ID.exec(id)) ?? refuseUnknown(id);
}

/** Returns the response of an item. Throws an `OpenAiError` (404) for an id of another form. */
export function parseItemId(id: string): ResponseRef {
  return toRef(ITEM_ID.exec(id)) ?? refuseUnknown(id);
}

function toRef(match: RegExpExecArray | null): ResponseRef | null {
  const [, seq, digits, conversation] = match ?? [];
  if (digits === undefined || conversation === undefined) return null;
  return { conversation, thread: `th-${digits}`, seq: Number(seq) };
}

/** Throws the error for an id that this user does not have. */
export function refuseUnknown(id: string): never {
  const sentence = formatEnglish("openai.unknownResponse", { id: JSON.stringify(id.slice(0, 256)) });
  throw new OpenAiError(404, "not_found", sentence, { mayRetry: false });
}
