// Highlights unverified numbers with the CSS Custom Highlight API, which does not change the text. Browsers without it
// show only the list below the block.
// Owns the ranges of all mounted blocks; the page has one highlight, which is replaced after every change.

import { useEffect, type RefObject } from "react";
import { placesOf } from "../doubts.ts";

/** The name in `::highlight()` in blocks.module.css. */
const NAME = "doubtful-number";
/** The ranges of each mounted block. */
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
    // Lazily rendered Markdown changes the text later.
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
