// Marks doubtful numbers in the text that they occur in, without changing the text: whoever wrote it, it stays theirs.
// Browsers that cannot do that leave the reader the list below the block.

import { useEffect, type RefObject } from "react";
import { placesOf } from "../doubts.ts";

/** The name in blocks.module.css. */
const NAME = "doubtful-number";
/** Those of all blocks that are on the screen. */
const shown = new Map<Element, readonly Range[]>();

export function useDoubts(element: RefObject<HTMLElement | null>, numbers: readonly string[]): void {
  useEffect(() => {
    const root = element.current;
    if (root === null || numbers.length === 0 || !("highlights" in CSS)) return;
    const mark = () => {
      shown.set(root, rangesIn(root, numbers));
      apply();
    };
    mark();
    // Its Markdown may be shown later than the block.
    const changes = new MutationObserver(mark);
    changes.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      changes.disconnect();
      shown.delete(root);
      apply();
    };
  }, [element, numbers]);
}

function apply(): void {
  const ranges = [...shown.values()].flat();
  if (ranges.length === 0) CSS.highlights.delete(NAME);
  else CSS.highlights.set(NAME, new Highlight(...ranges));
}

function rangesIn(root: HTMLElement, numbers: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    for (const { start, end } of placesOf(node.nodeValue ?? "", numbers)) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  return ranges;
}
