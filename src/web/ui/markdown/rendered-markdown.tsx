// Renders a Markdown text piece by piece, so that a growing text renders only its last piece again.

import { memo, useId, useEffect, useLayoutEffect, useRef, useState } from "react";
import { splitMarkdown } from "./split-markdown.ts";
import { hasTooManyFormulas, MAX_PIECES, MAX_TEXT_CHARS } from "./markdown-limits.ts";
import styles from "./markdown.module.css";
import { encodeFootnoteLabels, findFootnoteLabels } from "./footnotes.ts";
import { MarkdownPieceView } from "./markdown-piece-view.tsx";
import { PlainText } from "./plain-text.tsx";
import { SelectableText } from "./selectable-text.tsx";

const LINK_DEFINITION = /^ {0,3}\[(?!\^)([^\]\n]{1,200})\]:[ \t]*\S.*$/gm;
const MAX_DEFINITIONS = 200;

/**
 * Renders a Markdown text, with its footnotes at the end; unformatted if it has more than `MAX_TEXT_CHARS`. A growing
 * text is rendered less often than it grows.
 */
export function RenderedMarkdown({ text, isStreaming }: { readonly text: string; readonly isStreaming: boolean }) {
  const shown = usePacedText(text, isStreaming);
  if (shown.length > MAX_TEXT_CHARS) return <PlainText text={shown} hasNotice />;
  return <MarkdownPieces text={shown} isStreaming={isStreaming} />;
}

/** Memoized, since the text grows faster than it is rendered. */
const MarkdownPieces = memo(function MarkdownPieces({
  text,
  isStreaming,
}: {
  readonly text: string;
  readonly isStreaming: boolean;
}) {
  const prefix = `note-${useId()}`;
  const all = splitMarkdown(text);
  const pieces = all.slice(0, MAX_PIECES);
  const rest = all.slice(MAX_PIECES).map(({ source }) => source);
  const mayHaveMath = !hasTooManyFormulas(text);
  const linkDefinitions = findLinkDefinitions(text);
  const labels = findFootnoteLabels(text);
  // Strings rather than objects, so that a memoized piece does not change with footnotes and links that it does not
  // name.
  const getSharedProps = (source: string) => ({
    prefix,
    mayHaveMath,
    definitions: selectLinkDefinitions(source, linkDefinitions),
    labels: encodeFootnoteLabels(source, labels),
  });
  return (
    <SelectableText className={styles["markdown"]}>
      {pieces.map(({ source, open }, i) => {
        const isGrowing = isStreaming && i === all.length - 1;
        return (
          <MarkdownPieceView
            key={i}
            {...getSharedProps(source)}
            source={source}
            open={open}
            isGrowing={isGrowing}
            part="text"
          />
        );
      })}
      {rest.length === 0 ? null : <PlainText text={rest.join("")} hasNotice />}
      {labels.length === 0 ? null : (
        <div className={styles["notes"]} role="doc-endnotes">
          {pieces.map(({ source }, i) =>
            encodeFootnoteLabels(source, labels) !== "" && /^ {0,3}\[\^/m.test(source) ? (
              <MarkdownPieceView
                key={i}
                {...getSharedProps(source)}
                source={source}
                open={null}
                isGrowing={false}
                part="notes"
              />
            ) : null,
          )}
        </div>
      )}
    </SelectableText>
  );
});

/** Maps labels of link definitions, lowercase, to their lines. */
function findLinkDefinitions(text: string): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  if (!text.includes("]:")) return definitions;
  for (const [line, label = ""] of text.matchAll(LINK_DEFINITION)) {
    const name = label.trim().toLowerCase();
    if (definitions.size < MAX_DEFINITIONS && !definitions.has(name)) definitions.set(name, line);
  }
  return definitions;
}

function selectLinkDefinitions(source: string, targets: ReadonlyMap<string, string>): string {
  if (targets.size === 0 || !source.includes("[")) return "";
  const lower = source.toLowerCase();
  const named = [...targets].filter(([name]) => lower.includes(`[${name}]`)).map(([, line]) => line);
  return named.length === 0 ? "" : `${named.join("\n")}\n\n`;
}

/** Rendering a growing text may take one part in `TIME_SHARE` of the time. */
const TIME_SHARE = 4;

/** Calls `onMeasured` with the duration of the next frame in ms, from its start until layout and paint are done. */
function measureFrame(onMeasured: (ms: number) => void): void {
  requestAnimationFrame((from) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      onMeasured(performance.now() - from);
      port1.close();
    });
    port1.start();
    port2.postMessage(null);
  });
}

/**
 * Returns the text to render: `text` itself, or while `isStreaming` an earlier state of it. After a render that took n
 * ms, the next is (`TIME_SHARE` - 1) × n ms later, so that long texts leave time for the rest of the page.
 */
function usePacedText(text: string, isStreaming: boolean): string {
  const [shown, setShown] = useState(text);
  const renderStart = useRef(0);
  const nextRenderAt = useRef(0);
  useLayoutEffect(() => {
    if (renderStart.current === 0) return;
    const now = performance.now();
    const renderMs = now - renderStart.current;
    renderStart.current = 0;
    nextRenderAt.current = now + renderMs * (TIME_SHARE - 1);
    measureFrame((paintMs) => {
      nextRenderAt.current = performance.now() + (renderMs + paintMs) * (TIME_SHARE - 1);
    });
  });
  useEffect(() => {
    if (!isStreaming || text === shown) return;
    const timer = setTimeout(
      () => {
        renderStart.current = performance.now();
        setShown(text);
      },
      Math.max(0, nextRenderAt.current - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [text, shown, isStreaming]);
  return isStreaming ? shown : text;
}
