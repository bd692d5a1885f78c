// Highlights unverified numbers with the CSS Custom Highlight API, which does not change the text. Browsers without it
// show only the list below the block.
// Owns the ranges of all mounted blocks; the page has one highlight, which is replaced after every change.

import { useEffect, type RefObject } from "react";

/** The name in `::highlight()` in blocks.module.css. */
const HIGHLIGHT_NAME = "doubtful-number";
/** The ranges of each mounted block. */
const rangesByBlock = new Map<Element, readonly Range[]>();

/**
 * Highlights the numbers, as they are written, in the text of the element while the component is mounted, also after
 * the text changes. The ref must not change its element.
 */
export function useUnverifiedHighlight(element: RefObject<HTMLElement | null>, numbers: readonly string[]): void {
  useEffect(() => {
    const root = element.current;
    if (root === null || numbers.length === 0 || !("highlights" in CSS)) return;
    const mark = () => {
      rangesByBlock.set(root, findNumberRanges(root, numbers));
      updateHighlight();
    };
    mark();
    // Lazily rendered Markdown changes the text later.
    const changes = new MutationObserver(mark);
    changes.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      changes.disconnect();
      rangesByBlock.delete(root);
      updateHighlight();
    };
  }, [element, numbers]);
}

function updateHighlight(): void {
  const ranges = [...rangesByBlock.values()].flat();
  if (ranges.length === 0) CSS.highlights.delete(HIGHLIGHT_NAME);
  else CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...ranges));
}

function findNumberRanges(root: HTMLElement, numbers: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    for (const { start, end } of findNumbers(node.nodeValue ?? "", numbers)) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  return ranges;
}

// Finds unverified numbers in text.

/** `end` is exclusive. */
type UnverifiedRange = { readonly start: number; readonly end: number };

/**
 * Returns the ranges (UTF-16 units) of all occurrences of the numbers in a text, sorted by start. Only whole numbers
 * match: 4.7 is not found in 74.7 or 4.75.
 */
export function findNumbers(text: string, numbers: readonly string[]): UnverifiedRange[] {
  return numbers
    .filter((number) => number !== "")
    .flatMap((number) => findOccurrences(text, number))
    .toSorted((a, b) => a.start - b.start);
}

function findOccurrences(text: string, number: string): UnverifiedRange[] {
  const ranges: UnverifiedRange[] = [];
  for (let start = text.indexOf(number); start >= 0; start = text.indexOf(number, start + 1)) {
    const end = start + number.length;
    const isPart = /[\d][.,]?$/.test(text.slice(0, start)) || /^[.,]?\d/.test(text.slice(end));
    if (!isPart) ranges.push({ start, end });
  }
  return ranges;
}
