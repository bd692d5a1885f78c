// Sanitizes the rendered tree. Only listed elements and attributes pass, whatever other plugins produce.

import type { ExtraProps } from "react-markdown";
import { escapeHiddenControls } from "../../../lib/escape-invisible.ts";
import { MAX_DEPTH } from "./markdown-limits.ts";

type SanitizedElement = NonNullable<ExtraProps["node"]>;
type SanitizedNode = SanitizedElement["children"][number];
type SanitizedParent = { children: unknown[] };

const TEXT_ELEMENTS =
  "p br em strong del a img code pre blockquote ul ol li input table thead tbody tr th td hr sup span";
const HEADING_ELEMENTS = "h1 h2 h3 h4 h5 h6";
const MATH_ELEMENT_NAMES =
  "math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover " +
  "mtable mtr mtd mlabeledtr mstyle mpadded mphantom menclose merror mmultiscripts mprescripts mglyph none";

/** The elements that pass; others are replaced by their children. */
const ALLOWED_ELEMENTS: ReadonlySet<string> = new Set(
  `${TEXT_ELEMENTS} ${HEADING_ELEMENTS} ${MATH_ELEMENT_NAMES}`.split(" "),
);

/** No height or depth: with them, a formula could cover the lines above and below. */
const MATH_ATTRIBUTE_NAMES =
  "display mathVariant mathvariant stretchy fence separator form lspace rspace minsize maxsize columnalign columnspacing " +
  "rowspacing columnlines rowlines scriptlevel displaystyle width linethickness accent accentunder " +
  "notation mathcolor mathbackground mathsize encoding movablelimits symmetric largeop side xmlns";

/** Attributes of all elements except those of formulas. */
const TEXT_ATTRIBUTES = ["dir"];
const ALLOWED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
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
const MATH_ELEMENTS: ReadonlySet<string> = new Set(MATH_ELEMENT_NAMES.split(" "));
const MATH_ATTRIBUTES = MATH_ATTRIBUTE_NAMES.split(" ");
const ALLOWED_CLASS =
  /^(hljs(-[\w-]+)?|language-[\w+#.-]{1,32}|katex(-display|-error)?|contains-task-list|task-list-item|[a-z]+_+)$/;
/** The page itself uses the first two heading levels. */
const HEADING_LEVELS: Readonly<Record<string, string>> = { h1: "h3", h2: "h4", h3: "h5", h4: "h6", h5: "h6", h6: "h6" };

/**
 * A rehype plugin that must run last. It replaces other elements by their children, removes other attributes, lowers
 * headings by two levels, and escapes invisible characters in code. Its transformer throws a `RangeError` if elements are
 * nested deeper than `MAX_DEPTH`.
 */
export function rehypeRestrict() {
  return (tree: SanitizedParent) => sanitizeChildren(tree, 0);
}

function sanitizeChildren(parent: SanitizedParent, depth: number): void {
  if (depth > MAX_DEPTH) throw new RangeError("The elements are nested too deeply.");
  parent.children = (parent.children as SanitizedNode[]).flatMap((node) => {
    if (node.type === "text") return isInCode(parent) ? [{ ...node, value: escapeHiddenControls(node.value) }] : [node];
    if (node.type !== "element") return [];
    sanitizeChildren(node, depth + 1);
    if (!ALLOWED_ELEMENTS.has(node.tagName)) return node.children;
    node.properties = filterAttributes(node);
    node.tagName = HEADING_LEVELS[node.tagName] ?? node.tagName;
    return [node];
  });
}

function isInCode(parent: SanitizedParent): boolean {
  return "tagName" in parent && (parent.tagName === "code" || parent.tagName === "span");
}

function filterAttributes({ tagName, properties }: SanitizedElement): SanitizedElement["properties"] {
  const names = MATH_ELEMENTS.has(tagName)
    ? MATH_ATTRIBUTES
    : [...TEXT_ATTRIBUTES, ...(ALLOWED_ATTRIBUTES[tagName] ?? [])];
  const kept = Object.entries(properties).filter(([name]) => names.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) =>
      name === "className" && Array.isArray(value)
        ? [name, value.filter((className) => ALLOWED_CLASS.test(String(className)))]
        : [name, value],
    ),
  );
}
