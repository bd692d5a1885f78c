// A Vite plugin that parses the message catalogues of the web application in advance, so that no browser loads the
// parser of ICU MessageFormat. It also splits each catalogue into the part of the first screen and the rest.

import { IntlMessageFormat } from "intl-messageformat";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";
import { INITIAL_NAMESPACES } from "../src/web/messages/initial-namespaces.ts";

type SourceCatalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

const REQUEST = /\/(?<file>[a-z]+\.json)\?(?<part>initial|remaining)$/;
const MODULE_PREFIX = "\0messages:";
/** `<prefix><path of the JSON file>-<part>.js` */
const MODULE_ID = /^\0messages:(?<path>.+)-(?<part>initial|remaining)\.js$/;

export function precompileMessages(): Plugin {
  return {
    name: "precompile-messages",
    enforce: "pre",
    config: (_config, { command }) =>
      command === "build"
        ? {
            resolve: {
              alias: { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" },
            },
          }
        : {},
    resolveId: {
      filter: { id: REQUEST },
      handler(request, importer = "") {
        const { file = "", part = "" } = REQUEST.exec(request)?.groups ?? {};
        return `${MODULE_PREFIX}${join(dirname(importer), file)}-${part}.js`;
      },
    },
    load: {
      filter: { id: MODULE_ID },
      async handler(id) {
        const { path = "", part = "" } = MODULE_ID.exec(id)?.groups ?? {};
        this.addWatchFile(path);
        const catalogue = JSON.parse(await readFile(path, "utf8")) as SourceCatalogue;
        const language = basename(path, ".json");
        const namespaces = Object.entries(catalogue)
          .filter(([namespace]) => isInitial(namespace) === (part === "initial"))
          .map(([namespace, messages]) => [namespace, parseMessages(messages, language)]);
        return { code: `export default ${JSON.stringify(Object.fromEntries(namespaces))};`, map: null };
      },
    },
  };
}

function isInitial(namespace: string): boolean {
  return (INITIAL_NAMESPACES as readonly string[]).includes(namespace);
}

/** Messages without placeholders and quotes stay texts. */
function parseMessages(messages: SourceCatalogue[string], language: string): Record<string, unknown> {
  const entries = Object.entries(messages);
  return Object.fromEntries(
    entries.map(([key, text]) => [key, /[{']/.test(text) ? new IntlMessageFormat(text, language).getAst() : text]),
  );
}
