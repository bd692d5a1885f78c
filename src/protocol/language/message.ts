// The type of a sentence that is not formatted yet.

import type en from "./messages/en.json";

export type MessageKey = keyof typeof en;

/**
 * A sentence that is not formatted yet. A parameter may be a message itself, such as the reason of a failure; a list of
 * strings, which becomes an enumeration; or a list of messages, which becomes consecutive sentences.
 */
export type Message = { readonly key: MessageKey; readonly params?: MessageParameters };
export type MessageParameters = Readonly<Record<string, MessageParameter>>;
export type MessageParameter = string | number | Message | readonly string[] | readonly Message[];
