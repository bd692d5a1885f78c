// Preserves the selection in a text that is rendered again while it grows.

import { Component, createRef, type ReactNode } from "react";

/** A position in the text as a number of characters from its start, or a position outside of it. */
type Place = number | { readonly node: Node; readonly offset: number };
type Marked = { readonly from: Place; readonly to: Place };

type Props = { readonly className: string | undefined; readonly children: ReactNode };

/** A class component, because only `getSnapshotBeforeUpdate` can read the selection before the DOM changes. */
export class Selectable extends Component<Props> {
  private readonly element = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(): Marked | null {
    const element = this.element.current;
    const selection = getSelection();
    // Collapsed selections count as well: a drag may have just started.
    if (element === null || selection === null) return null;
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    if (anchorNode === null || focusNode === null) return null;
    if (!element.contains(anchorNode) && !element.contains(focusNode)) return null;
    return { from: placeOf(element, anchorNode, anchorOffset), to: placeOf(element, focusNode, focusOffset) };
  }

  override componentDidUpdate(_props: Props, _state: unknown, marked: Marked | null): void {
    const element = this.element.current;
    const selection = getSelection();
    if (element === null || selection === null || marked === null) return;
    const from = pointAt(element, marked.from);
    const to = pointAt(element, marked.to);
    const isThere = (node: Node | null, offset: number, point: Point) => node === point.node && offset === point.offset;
    if (
      isThere(selection.anchorNode, selection.anchorOffset, from) &&
      isThere(selection.focusNode, selection.focusOffset, to)
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

type Point = { readonly node: Node; readonly offset: number };

function placeOf(element: Element, node: Node, offset: number): Place {
  if (!element.contains(node)) return { node, offset };
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}

function pointAt(element: Element, place: Place): Point {
  if (typeof place !== "number") return place;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = place;
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { length } = node.nodeValue ?? "";
    if (left <= length) return { node, offset: left };
    left -= length;
  }
  return { node: element, offset: element.childNodes.length };
}
