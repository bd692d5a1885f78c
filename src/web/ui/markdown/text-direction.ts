// Sets the text direction of blocks. The application is left-to-right; a block whose first letter is right-to-left gets
// `dir="rtl"`.

import type { ExtraProps } from "react-markdown";

type DirectionElement = NonNullable<ExtraProps["node"]>;
type DirectionNode = DirectionElement["children"][number];
type TextDirection = "ltr" | "rtl";

const RTL_LETTER =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const LETTER = /\p{L}/u;
/**
 * Blocks with a direction of their own. List items follow their list, which has room for the markers on one side only.
 */
const BLOCK_ELEMENTS: ReadonlySet<string> = new Set("p h1 h2 h3 h4 h5 h6 ul ol blockquote table th td".split(" "));
/** Code is always left-to-right. */
const CODE_ELEMENTS: ReadonlySet<string> = new Set(["pre", "code"]);

/** Returns true if the text has right-to-left letters. Without them, `rehypeDirection` can be skipped. */
export function hasRtlLetters(text: string): boolean {
  return RTL_LETTER.test(text);
}

/** A rehype plugin. Sets `dir` only where the direction differs from that of the parent. */
export function rehypeDirection() {
  return (tree: { children: unknown[] }) => applyDirection(tree.children as DirectionNode[], "ltr");
}

function applyDirection(nodes: readonly DirectionNode[], parentDirection: TextDirection): void {
  for (const node of nodes) {
    if (node.type !== "element") continue;
    const direction = detectDirection(node) ?? parentDirection;
    if (direction !== parentDirection) node.properties["dir"] = direction;
    applyDirection(node.children, direction);
  }
}

function detectDirection(node: DirectionElement): TextDirection | null {
  if (CODE_ELEMENTS.has(node.tagName)) return "ltr";
  const letter = BLOCK_ELEMENTS.has(node.tagName) ? findFirstLetter(node.children) : null;
  if (letter === null) return null;
  return RTL_LETTER.test(letter) ? "rtl" : "ltr";
}

function findFirstLetter(nodes: readonly DirectionNode[]): string | null {
  for (const node of nodes) {
    if (node.type === "element" && CODE_ELEMENTS.has(node.tagName)) continue;
    const found =
      node.type === "text" ? LETTER.exec(node.value)?.[0] : node.type === "element" && findFirstLetter(node.children);
    if (typeof found === "string") return found;
  }
  return null;
}
