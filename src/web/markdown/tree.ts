// Sanitizes the rendered tree. Only listed elements and attributes pass, whatever other plugins produce.

import type { ExtraProps } from "react-markdown";
import { plainly } from "../../protocol/visible.ts";
import { MAX_DEPTH } from "./limits.ts";

type Element = NonNullable<ExtraProps["node"]>;
type Node = Element["children"][number];
type Parent = { children: unknown[] };

const TEXT = "p br em strong del a img code pre blockquote ul ol li input table thead tbody tr th td hr sup span";
const HEADINGS = "h1 h2 h3 h4 h5 h6";
const MATH =
  "math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover " +
  "mtable mtr mtd mlabeledtr mstyle mpadded mphantom menclose merror mmultiscripts mprescripts mglyph none";

export const ELEMENTS: ReadonlySet<string> = new Set(`${TEXT} ${HEADINGS} ${MATH}`.split(" "));

/** No height or depth: with them, a formula could cover the lines above and below. */
const OF_MATH =
  "display mathVariant mathvariant stretchy fence separator form lspace rspace minsize maxsize columnalign columnspacing " +
  "rowspacing columnlines rowlines scriptlevel displaystyle width linethickness accent accentunder " +
  "notation mathcolor mathbackground mathsize encoding movablelimits symmetric largeop side xmlns";

/** Attributes of all elements except those of formulas. */
const OF_TEXT = ["dir"];
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  img: ["src", "alt"],
  ol: ["start", "className"],
  ul: ["className"],
  li: ["id", "className"],
  input: ["type", "checked", "disabled"],
  code: ["className"],
  span: ["className"],
  th: ["align"],
  td: ["align"],
};
const MATH_ELEMENTS: ReadonlySet<string> = new Set(MATH.split(" "));
const MATH_ATTRIBUTES = OF_MATH.split(" ");
const CLASS =
  /^(hljs(-[\w-]+)?|language-[\w+#.-]{1,32}|katex(-display|-error)?|contains-task-list|task-list-item|[a-z]+_+)$/;
/** The page itself uses the first two heading levels. */
const LEVEL: Readonly<Record<string, string>> = { h1: "h3", h2: "h4", h3: "h5", h4: "h6", h5: "h6", h6: "h6" };

/** Thrown if elements are nested deeper than `MAX_DEPTH`. */
export class TooDeep extends Error {}

/** A rehype plugin that must run last. */
export function restrict() {
  return (tree: Parent) => clean(tree, 0);
}

function clean(parent: Parent, depth: number): void {
  if (depth > MAX_DEPTH) throw new TooDeep();
  parent.children = (parent.children as Node[]).flatMap((node) => {
    if (node.type === "text") return isInCode(parent) ? [{ ...node, value: plainly(node.value) }] : [node];
    if (node.type !== "element") return [];
    clean(node, depth + 1);
    if (!ELEMENTS.has(node.tagName)) return node.children;
    node.properties = allowed(node);
    node.tagName = LEVEL[node.tagName] ?? node.tagName;
    return [node];
  });
}

function isInCode(parent: Parent): boolean {
  return "tagName" in parent && (parent.tagName === "code" || parent.tagName === "span");
}

function allowed({ tagName, properties }: Element): Element["properties"] {
  const names = MATH_ELEMENTS.has(tagName) ? MATH_ATTRIBUTES : [...OF_TEXT, ...(ATTRIBUTES[tagName] ?? [])];
  const kept = Object.entries(properties).filter(([name]) => names.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) =>
      name === "className" && Array.isArray(value)
        ? [name, value.filter((one) => CLASS.test(String(one)))]
        : [name, value],
    ),
  );
}
