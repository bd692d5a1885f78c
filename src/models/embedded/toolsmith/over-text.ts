// Tools whose only parameter is a text.

import type { Both } from "../../../protocol/words/language.ts";
import { takes, TEXT, text, type Template } from "./template.ts";
import { subject } from "./words.ts";

/** `not` matches words that ask for something else. */
export function over(
  name: string,
  description: string,
  returns: Template["returns"],
  code: string,
  asked: RegExp,
  options: { readonly title?: Both; readonly not?: RegExp } = {},
): Template {
  return text({
    name,
    description,
    parameters: takes({ text: TEXT }),
    returns,
    code,
    asked,
    ...(options.title === undefined ? {} : { title: options.title }),
    read(words) {
      const found = options.not?.test(words.said) === true ? null : subject(words, asked);
      return found === null ? null : { text: found };
    },
  });
}
