// Checks the dependencies between the layers against the imports of the source files.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "..", "src");

type Rule = {
  /** Layers, folders or files that may be imported besides the layer itself. */
  readonly project: readonly string[];
  /** npm packages and built-in modules. */
  readonly packages: readonly string[];
};

const CLOUDFLARE = ["cloudflare:workers"];
const WEB = [
  "@radix-ui/react-dropdown-menu",
  "@tanstack/react-query",
  "hast-util-from-html-isomorphic",
  "intl-messageformat",
  "katex",
  "lucide-react",
  "micromark-extension-cjk-friendly",
  "react",
  "react-dom",
  "react-markdown",
  "recharts",
  "rehype-highlight",
  "remark-gfm",
  "remark-math",
  "remark-parse",
  "remend",
  "unified",
  "virtua",
  "wouter",
];
/** The rooms that every layer above them may import. */
const WIRE = ["language", "lib", "protocol"];
/** Imports of every feature of the application. Only the listed features import one another. */
const WEB_FEATURE = [...WIRE, "client", "web/session", "web/ui"];
const PORTS = [...WIRE, "core/ports.ts", "resolve-host.ts", "settings.ts"];

/** The allowed imports of each layer. Every file of src belongs to a folder or file in this list. */
const ALLOWED: Readonly<Record<string, Rule>> = {
  language: { project: [], packages: ["intl-messageformat"] },
  lib: { project: ["language"], packages: ["zod"] },
  protocol: { project: ["language", "lib"], packages: ["zod"] },
  "language/schedules": { project: WIRE, packages: [] },
  pages: { project: WIRE, packages: [] },
  core: { project: WIRE, packages: ["@cfworker/json-schema", "croner", "zod"] },
  client: { project: WIRE, packages: [] },
  web: { project: ["web/app", "web/session", "web/ui"], packages: WEB },
  "web/messages": { project: [], packages: WEB },
  "web/session": { project: [...WIRE, "client", "web/messages"], packages: WEB },
  "web/ui": { project: [...WIRE, "web/session"], packages: WEB },
  "web/features/agents": { project: WEB_FEATURE, packages: WEB },
  "web/features/conversations": { project: [...WEB_FEATURE, "web/features/agents"], packages: WEB },
  "web/features/pages": { project: [...WEB_FEATURE, "pages"], packages: WEB },
  "web/features/schedules": { project: [...WEB_FEATURE, "web/features/agents"], packages: WEB },
  "web/features/tools": { project: [...WEB_FEATURE, "web/features/agents"], packages: WEB },
  "web/features/workflows": {
    project: [...WEB_FEATURE, "web/features/agents", "web/features/conversations"],
    packages: WEB,
  },
  "web/app": { project: [...WEB_FEATURE, "web/features"], packages: WEB },
  "settings.ts": { project: WIRE, packages: ["zod"] },
  "resolve-host.ts": { project: WIRE, packages: [] },
  models: { project: PORTS, packages: ["openai", "zod"] },
  embedded: { project: WIRE, packages: ["city-timezones", "zod"] },
  a2a: { project: WIRE, packages: ["@a2a-js/sdk"] },
  dispatch: { project: PORTS, packages: ["@a2a-js/sdk", "zod"] },
  sandbox: { project: WIRE, packages: ["acorn", "zod"] },
  directory: { project: PORTS, packages: ["zod"] },
  datasets: { project: WIRE, packages: ["papaparse", "simple-statistics", "zod"] },
  "agents/kit": {
    project: [...PORTS, "a2a", "models"],
    packages: [...CLOUDFLARE, "@a2a-js/sdk", "@modelcontextprotocol/client", "zod"],
  },
  agents: {
    project: [...WIRE, "agents/kit", "datasets", "directory", "models", "sandbox", "settings.ts"],
    packages: [...CLOUDFLARE, "croner", "zod"],
  },
  "agents/workflows": {
    project: [...WIRE, "agents/kit", "core/listeners/validate-template.ts", "directory"],
    packages: [...CLOUDFLARE, "zod"],
  },
  durable: {
    project: [...PORTS, "core", "datasets", "directory", "dispatch", "env.ts", "models", "pages", "sandbox"],
    packages: [...CLOUDFLARE, "agents", "zod"],
  },
  http: {
    project: [...PORTS, "a2a", "core", "datasets", "directory", "dispatch", "durable", "env.ts", "models", "pages"],
    packages: [...CLOUDFLARE, "@a2a-js/sdk", "@cloudflare/workers-oauth-provider", "hono", "jose", "zod"],
  },
  "env.ts": { project: ["durable", "protocol"], packages: CLOUDFLARE },
  "defer-entrypoint.ts": { project: ["env.ts"], packages: CLOUDFLARE },
  "worker.ts": {
    project: ["agents", "defer-entrypoint.ts", "durable", "env.ts", "http", "protocol"],
    packages: CLOUDFLARE,
  },
};

type Import = { readonly file: string; readonly target: string; readonly isErased: boolean; readonly clause: string };

// A running wrangler keeps temporary files in the folder `.wrangler` beside its configuration.
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .map((file) => file.split(sep).join("/"))
  .filter((file) => /\.tsx?$/.test(file) && !file.includes(".wrangler/"))
  .toSorted();
const imports = files.flatMap(listImports);

test("every source file belongs to a layer with a rule", () => {
  expect(files.filter((file) => getRule(file) === undefined)).toEqual([]);
});

test("every import follows the rule of its layer", () => {
  expect(imports.filter((entry) => !isAllowed(entry)).map(describeImport)).toEqual([]);
});

test("language, lib, pages, protocol, core, client and datasets do not refer to Cloudflare or Node", () => {
  const mentions = files
    .filter((file) => /^(language|lib|pages|protocol|core|client|datasets)\//.test(file))
    .flatMap((file) =>
      readSource(file)
        .split("\n")
        .filter((line) => /cloudflare:|@cloudflare\/|DurableObject|\bnode:/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(mentions).toEqual([]);
});

test("[I43] every access to the database of the directory checks the size of its values", () => {
  const unchecked = files.flatMap((file) =>
    readFileSync(join(SRC, file), "utf8")
      .split("\n")
      .filter((line) => /\.DB\b|\["DB"\]|\bDB[,)]/.test(line) && !/openDirectory\(|createUserToolRegistry\(/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(unchecked).toEqual([]);
});

test("every import of zod is a namespace import", () => {
  const violations = imports.filter(({ target, clause }) => target === "zod" && !/^(type )?\* as z$/.test(clause));
  expect(violations.map(describeImport)).toEqual([]);
});

test("imports contain no cycles", () => {
  expect(findImportCycles()).toEqual([]);
});

test.each([
  ["web/ui/panel.tsx", "web/features/agents/agents-page.tsx"],
  ["web/features/pages/pages-page.tsx", "web/features/agents/agents-page.tsx"],
  ["web/features/agents/agents-page.tsx", "web/app/app.tsx"],
  ["core/turn/turn.ts", "durable/conversation-api.ts"],
  ["core/turn/turn.ts", "hono"],
  ["protocol/wire/events.ts", "core/ports.ts"],
  ["language/messages.ts", "protocol/wire/fault.ts"],
  ["client/connect.ts", "settings.ts"],
  ["agents/assistant/agent.ts", "core/ports.ts"],
  ["agents/assistant/agent.ts", "durable/conversation-api.ts"],
  ["dispatch/agent-http.ts", "durable/conversation-api.ts"],
  ["durable/conversation/event-log.ts", "worker.ts"],
  ["models/create-model.ts", "embedded/embedded-fetch.ts"],
  ["worker.ts", "embedded/worker.ts"],
])("%s may not import %s", (file, target) => {
  expect(isAllowed({ file, target, isErased: false, clause: "" })).toBe(false);
});

test("listImports finds every form of import", () => {
  const source = [
    `import { a } from "./a.ts";`,
    `import type { B } from "./b.ts";`,
    `import { type C } from "./c.ts";`,
    `import {\n  d,\n} from "d";`,
    `export * from "./e.ts";`,
    `export type { F } from "./f.ts";`,
    `import "./g.ts";`,
    `const h = await import("h");`,
    `type I = import("./i.ts").I;`,
    `// import { j } from "./j.ts";`,
  ].join("\n");
  const found = readImports("core/x.ts", source);
  expect(found.map(({ target, isErased }) => [target, isErased])).toEqual([
    ["core/a.ts", false],
    ["core/b.ts", true],
    ["core/c.ts", true],
    ["d", false],
    ["core/e.ts", false],
    ["core/f.ts", true],
    ["core/g.ts", false],
    ["h", false],
    ["core/i.ts", false],
  ]);
});

function readSource(file: string): string {
  return readFileSync(join(SRC, file), "utf8");
}

function listImports(file: string): Import[] {
  return readImports(file, readSource(file));
}

function readImports(file: string, source: string): Import[] {
  const code = source.replaceAll(/^\s*\/\/.*$/gm, "").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const statement = /^\s*(?:import|export)\s+(?:([\w*{][^;"']*?)\s+from\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...code.matchAll(statement)].map(([, clause = "", named, dynamic]) => ({
    file,
    target: resolve(file, named ?? dynamic ?? ""),
    isErased: isTypeOnly(clause),
    clause,
  }));
}

/** Type-only imports are erased and cannot cause a cycle at run time. */
function isTypeOnly(clause: string): boolean {
  if (/^type\b/.test(clause)) return true;
  const names = /^\{([\s\S]*)\}$/.exec(clause)?.[1]?.split(",") ?? [];
  const bindings = names.map((name) => name.trim()).filter((name) => name !== "");
  return bindings.length > 0 && bindings.every((name) => name.startsWith("type "));
}

/** Returns the path below `src` for project files, and the package name without a subpath for packages. */
function resolve(file: string, specifier: string): string {
  if (specifier.startsWith("."))
    return relative(SRC, join(SRC, dirname(file), specifier))
      .split(sep)
      .join("/");
  if (/^(node|cloudflare):/.test(specifier)) return specifier;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Returns the most specific layer that contains the file. */
function getLayer(file: string): string | undefined {
  return Object.keys(ALLOWED)
    .filter((layer) => isWithin(file, layer))
    .toSorted((a, b) => b.length - a.length)[0];
}

function getRule(file: string): Rule | undefined {
  const layer = getLayer(file);
  return layer === undefined ? undefined : ALLOWED[layer];
}

function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

function isAllowed({ file, target }: Import): boolean {
  const rule = getRule(file);
  if (rule === undefined) return false;
  // Style sheets are in the folder of their component or, if components share them, in a folder above it.
  if (target.endsWith(".css")) return isWithin(file, dirname(target)) || target === "web/ui/tokens.css";
  // Message catalogues are in the folder of the module that loads them.
  if (/\.json(\?\w+)?$/.test(target)) return isWithin(target, dirname(file));
  if (!files.includes(target)) return rule.packages.includes(target);
  // An agent may move to another repository, so it must not import other agents.
  const [top, folder] = file.split("/");
  if (top === "agents" && target.startsWith("agents/"))
    return isWithin(target, `agents/${folder}`) || isWithin(target, "agents/kit");
  return getLayer(file) === getLayer(target) || rule.project.some((path) => isWithin(target, path));
}

function describeImport({ file, target }: Import): string {
  return `src/${file} imports ${target}`;
}

function findImportCycles(): string[] {
  const next = Map.groupBy(
    imports.filter(({ target, isErased }) => !isErased && files.includes(target)),
    ({ file }) => file,
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(" → "));
      return;
    }
    if (done.has(file)) return;
    for (const { target } of next.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  return found;
}
