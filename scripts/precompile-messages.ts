// Sentences of the web application are parsed while it is built: no browser has to load the parser, or to wait for it.

import { IntlMessageFormat } from "intl-messageformat";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

type Sentences = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function sentences(): Plugin {
  return {
    name: "sentences",
    apply: "build",
    config: () => ({
      resolve: {
        alias: { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" },
      },
    }),
    transform: {
      filter: { id: /\/src\/web\/.*\bwords\.ts$/ },
      async handler(_code, id) {
        const { WORDS } = (await import(pathToFileURL(id).href)) as { WORDS: Sentences };
        const parsed = Object.entries(WORDS).map(([language, said]) => [language, parsedIn(language, said)]);
        return { code: `export const WORDS = ${JSON.stringify(Object.fromEntries(parsed))};`, map: null };
      },
    },
  };
}

/** What has no value in it stays the text that it is. */
function parsedIn(language: string, said: Sentences[string]): Record<string, unknown> {
  const entries = Object.entries(said);
  return Object.fromEntries(
    entries.map(([name, text]) => [name, text.includes("{") ? new IntlMessageFormat(text, language).getAst() : text]),
  );
}
