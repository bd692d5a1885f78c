// The language of an instance.

import { detectLanguage, type Language } from "../../language/detect-language.ts";
import type { TurnContext } from "../turn/turn-context.ts";

/** Returns the requested language; detects it from the message only if none was requested. */
export function resolveInstanceLanguage({ message, language }: TurnContext["request"]): Language {
  return language === undefined ? detectLanguage(message) : detectLanguage("", language);
}
