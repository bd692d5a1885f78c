// Highlighted code. A separate script, since the grammars are larger than the rest of the view.

import { useMemo, type ReactNode } from "react";
import { rehypeHighlightCode } from "../../ui/markdown/highlight-plugin.ts";

type HighlightTree = Parameters<ReturnType<typeof rehypeHighlightCode>>[0];
type HighlightNode = HighlightTree["children"][number];

/** Renders JavaScript code as highlighted spans, without the surrounding `pre` and `code`. */
export function HighlightedCode({ code }: { readonly code: string }) {
  return useMemo(() => highlightCode(code), [code]);
}

function highlightCode(code: string): ReactNode {
  const text = { type: "text", value: code } as const;
  const block = { type: "element", tagName: "code", properties: { className: ["language-js"] }, children: [text] };
  const pre = { type: "element", tagName: "pre", properties: {}, children: [block] };
  const tree = { type: "root", children: [pre] } as HighlightTree;
  // The plugin uses the file only to report unknown languages.
  rehypeHighlightCode()(tree, undefined as never);
  const [outer] = tree.children;
  const inner = outer?.type === "element" ? outer.children[0] : undefined;
  return inner?.type === "element" ? inner.children.map(renderNode) : code;
}

/** Converts to React elements: no HTML is inserted into the page. */
function renderNode(part: HighlightNode, index: number): ReactNode {
  if (part.type === "text") return part.value;
  if (part.type !== "element") return null;
  const { className } = part.properties;
  return (
    <span key={index} className={Array.isArray(className) ? className.join(" ") : ""}>
      {part.children.map(renderNode)}
    </span>
  );
}
