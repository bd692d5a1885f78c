// Tools whose only parameter is a text.

import type { LocalizedText } from "../../language/detect-language.ts";
import { createParameters, TEXT_SCHEMA, createTextToolTemplate, type ToolTemplate } from "./tool-template.ts";
import { findSubjectText } from "./subtask-words.ts";

/** `not` matches words that ask for something else. */
export function createTextTemplate(
  name: string,
  description: string,
  returns: ToolTemplate["returns"],
  code: string,
  requestPattern: RegExp,
  options: { readonly title?: LocalizedText; readonly not?: RegExp } = {},
): ToolTemplate {
  return createTextToolTemplate({
    name,
    description,
    parameters: createParameters({ text: TEXT_SCHEMA }),
    returns,
    code,
    requestPattern,
    ...(options.title === undefined ? {} : { title: options.title }),
    parseArgs(words) {
      const found = options.not?.test(words.said) === true ? null : findSubjectText(words, requestPattern);
      return found === null ? null : { text: found };
    },
  });
}
