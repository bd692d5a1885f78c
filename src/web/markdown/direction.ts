// Sets the text direction of blocks. The application is left-to-right; a block whose first letter is right-to-left gets
// `dir="rtl"`.

import type { ExtraProps } from "react-markdown";

type Element = NonNullable<ExtraProps["node"]>;
type Node = Element["children"][number];
type Direction = "ltr" | "rtl";

const FROM_THE_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const LETTER = /\p{L}/u;
/**
 * Blocks with a direction of their own. List items follow their list, which has room for the markers on one side only.
 */
const BLOCKS: ReadonlySet<string> = new Set("p h1 h2 h3 h4 h5 h6 ul ol blockquote table th td".split(" "));
/** Code is always left-to-right. */
const CODE: ReadonlySet<string> = new Set(["pre", "code"]);

/** False if the text has no right-to-left letters, so that the plugin can be skipped. */
export function mayRunFromTheRight(text: string): boolean {
  return FROM_THE_RIGHT.test(text);
}

/** A rehype plugin. Sets `dir` only where the direction differs from that of the parent. */
export function direct() {
  return (tree: { children: unknown[] }) => turn(tree.children as Node[], "ltr");
}

function turn(nodes: readonly Node[], around: Direction): void {
  for (const node of nodes) {
    if (node.type !== "element") continue;
    const own = directionOf(node) ?? around;
    if (own !== around) node.properties["dir"] = own;
    turn(node.children, own);
  }
}

function directionOf(node: Element): Direction | null {
  if (CODE.has(node.tagName)) return "ltr";
  const letter = BLOCKS.has(node.tagName) ? firstLetterIn(node.children) : null;
  if (letter === null) return null;
  return FROM_THE_RIGHT.test(letter) ? "rtl" : "ltr";
}

function firstLetterIn(nodes: readonly Node[]): string | null {
  for (const node of nodes) {
    if (node.type === "element" && CODE.has(node.tagName)) continue;
    const found =
      node.type === "text" ? LETTER.exec(node.value)?.[0] : node.type === "element" && firstLetterIn(node.children);
    if (typeof found === "string") return found;
  }
  return null;
}
