// Preserves the selection in a text that is rendered again while it grows.

import { Component, createRef, type ReactNode } from "react";

/** A position in the text as a number of characters from its start, or a position outside of it. */
type TextPosition = number | { readonly node: Node; readonly offset: number };
type SavedSelection = { readonly from: TextPosition; readonly to: TextPosition };

type SelectableTextProps = { readonly className: string | undefined; readonly children: ReactNode };

/**
 * A `div` with its children. A selection that begins or ends in it stays at the same character offsets when they
 * change. A class component, because only `getSnapshotBeforeUpdate` can read the selection before the DOM changes.
 */
export class SelectableText extends Component<SelectableTextProps> {
  private readonly element = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(): SavedSelection | null {
    const element = this.element.current;
    const selection = getSelection();
    // Collapsed selections count as well: a drag may have just started.
    if (element === null || selection === null) return null;
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    if (anchorNode === null || focusNode === null) return null;
    if (!element.contains(anchorNode) && !element.contains(focusNode)) return null;
    return {
      from: toTextPosition(element, anchorNode, anchorOffset),
      to: toTextPosition(element, focusNode, focusOffset),
    };
  }

  override componentDidUpdate(_props: SelectableTextProps, _state: unknown, saved: SavedSelection | null): void {
    const element = this.element.current;
    const selection = getSelection();
    if (element === null || selection === null || saved === null) return;
    const from = toDomPosition(element, saved.from);
    const to = toDomPosition(element, saved.to);
    const isAt = (node: Node | null, offset: number, position: DomPosition) =>
      node === position.node && offset === position.offset;
    if (
      isAt(selection.anchorNode, selection.anchorOffset, from) &&
      isAt(selection.focusNode, selection.focusOffset, to)
    ) {
      return;
    }
    if (from.node.isConnected && to.node.isConnected) {
      selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
    }
  }

  override render(): ReactNode {
    return (
      <div ref={this.element} className={this.props.className}>
        {this.props.children}
      </div>
    );
  }
}

type DomPosition = { readonly node: Node; readonly offset: number };

function toTextPosition(element: Element, node: Node, offset: number): TextPosition {
  if (!element.contains(node)) return { node, offset };
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}

function toDomPosition(element: Element, position: TextPosition): DomPosition {
  if (typeof position !== "number") return position;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let remaining = position;
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { length } = node.nodeValue ?? "";
    if (remaining <= length) return { node, offset: remaining };
    remaining -= length;
  }
  return { node: element, offset: element.childNodes.length };
}
