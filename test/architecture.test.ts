// The arrows between the layers, read from the imports themselves.

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
const PORTS = ["core/ports.ts", "protocol", "settings.ts"];

/** What each layer may import. A folder or file that is not listed here has no place in the project. */
const ALLOWED: Readonly<Record<string, Rule>> = {
  protocol: { project: [], packages: ["intl-messageformat", "zod"] },
  core: { project: ["protocol"], packages: ["croner", "zod"] },
  client: { project: ["protocol"], packages: [] },
  web: { project: ["client", "protocol"], packages: WEB },
  "settings.ts": { project: ["protocol"], packages: ["zod"] },
  models: { project: PORTS, packages: ["zod"] },
  a2a: { project: ["protocol"], packages: ["@a2a-js/sdk"] },
  dispatch: { project: PORTS, packages: ["@a2a-js/sdk", "zod"] },
  sandbox: { project: ["protocol"], packages: ["acorn", "zod"] },
  directory: { project: PORTS, packages: ["zod"] },
  datasets: { project: ["protocol"], packages: ["papaparse", "simple-statistics", "zod"] },
  "agents/kit": {
    project: [...PORTS, "a2a", "models"],
    packages: [...CLOUDFLARE, "@a2a-js/sdk", "@modelcontextprotocol/client", "zod"],
  },
  agents: {
    project: ["agents/kit", "datasets", "directory", "models", "protocol", "sandbox", "settings.ts"],
    packages: [...CLOUDFLARE, "croner", "zod"],
  },
  "agents/workflows": {
    project: ["agents/kit", "core/listeners/validate-template.ts", "directory", "protocol"],
    packages: [...CLOUDFLARE, "zod"],
  },
  durable: {
    project: [...PORTS, "core", "datasets", "directory", "dispatch", "env.ts", "models", "sandbox"],
    packages: [...CLOUDFLARE, "agents", "zod"],
  },
  http: {
    project: [...PORTS, "a2a", "core", "datasets", "directory", "dispatch", "durable", "env.ts", "models"],
    packages: [...CLOUDFLARE, "@a2a-js/sdk", "hono", "jose", "zod"],
  },
  "env.ts": { project: ["durable", "protocol"], packages: CLOUDFLARE },
  "worker.ts": {
    project: ["agents", "directory", "dispatch", "durable", "env.ts", "http", "models", "settings.ts"],
    packages: CLOUDFLARE,
  },
};

type Import = { readonly file: string; readonly target: string; readonly isErased: boolean; readonly clause: string };

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .map((file) => file.split(sep).join("/"))
  .filter((file) => /\.tsx?$/.test(file))
  .toSorted();
const imports = files.flatMap(importsOf);

test("every file of src belongs to a layer with a rule", () => {
  expect(files.filter((file) => ruleOf(file) === undefined)).toEqual([]);
});

test("every import follows the arrows between the layers", () => {
  expect(imports.filter((entry) => !isAllowed(entry)).map(describeImport)).toEqual([]);
});

test("protocol, core, client and datasets never mention the platform", () => {
  const mentions = files
    .filter((file) => /^(protocol|core|client|datasets)\//.test(file))
    .flatMap((file) =>
      sourceOf(file)
        .split("\n")
        .filter((line) => /cloudflare:|@cloudflare\/|DurableObject|\bnode:/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(mentions).toEqual([]);
});

test("zod is always imported as a namespace, which leaves out what is not used", () => {
  const others = imports.filter(({ target, clause }) => target === "zod" && !/^(type )?\* as z$/.test(clause));
  expect(others.map(describeImport)).toEqual([]);
});

test("no file imports itself in a circle", () => {
  expect(circles()).toEqual([]);
});

test.each([
  ["core/turn.ts", "durable/conversation-api.ts"],
  ["core/turn.ts", "hono"],
  ["protocol/wire/events.ts", "core/ports.ts"],
  ["client/connect.ts", "settings.ts"],
  ["agents/assistant/agent.ts", "core/ports.ts"],
  ["agents/assistant/agent.ts", "durable/conversation-api.ts"],
  ["dispatch/agent-http.ts", "durable/conversation-api.ts"],
  ["durable/event-log.ts", "worker.ts"],
])("%s may not import %s", (file, target) => {
  expect(isAllowed({ file, target, isErased: false, clause: "" })).toBe(false);
});

test("the reader of imports sees every form", () => {
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

function sourceOf(file: string): string {
  return readFileSync(join(SRC, file), "utf8");
}

function importsOf(file: string): Import[] {
  return readImports(file, sourceOf(file));
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

/** Erased imports cannot make a circle when the program runs. */
function isTypeOnly(clause: string): boolean {
  if (/^type\b/.test(clause)) return true;
  const names = /^\{([\s\S]*)\}$/.exec(clause)?.[1]?.split(",") ?? [];
  const given = names.map((name) => name.trim()).filter((name) => name !== "");
  return given.length > 0 && given.every((name) => name.startsWith("type "));
}

/** Project files as paths below `src`, packages by their name without what is inside them. */
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

/** The most particular layer that holds the file. */
function layerOf(file: string): string | undefined {
  return Object.keys(ALLOWED)
    .filter((layer) => isWithin(file, layer))
    .toSorted((a, b) => b.length - a.length)[0];
}

function ruleOf(file: string): Rule | undefined {
  const layer = layerOf(file);
  return layer === undefined ? undefined : ALLOWED[layer];
}

function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function isAllowed({ file, target }: Import): boolean {
  const rule = ruleOf(file);
  if (rule === undefined) return false;
  // Styles stand beside what they are for, or belong to everything.
  if (target.endsWith(".css")) return isWithin(target, dirname(file)) || target === "web/ui/tokens.css";
  if (!files.includes(target)) return rule.packages.includes(target);
  // An agent may move to a repository of its own, so it does not know its neighbours.
  const [top, folder] = file.split("/");
  if (top === "agents" && target.startsWith("agents/"))
    return isWithin(target, `agents/${folder}`) || isWithin(target, "agents/kit");
  return layerOf(file) === layerOf(target) || rule.project.some((place) => isWithin(target, place));
}

function describeImport({ file, target }: Import): string {
  return `src/${file} imports ${target}`;
}

function circles(): string[] {
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
