// Renders a Markdown text piece by piece, so that a growing text renders only its last piece again.

import { memo, useId } from "react";
import { piecesOf } from "./blocks.ts";
import { hasTooManyFormulas, MAX_PIECES, MAX_TEXT } from "./limits.ts";
import styles from "./markdown.module.css";
import { labelsFor, labelsOf } from "./notes.ts";
import { usePaced } from "./pace.ts";
import { Piece } from "./piece.tsx";
import { Plain } from "./plain.tsx";
import { Selectable } from "./selectable.tsx";

const DEFINITION = /^ {0,3}\[(?!\^)([^\]\n]{1,200})\]:[ \t]*\S.*$/gm;
const MAX_DEFINITIONS = 200;

/** Renders a Markdown text; unformatted if it is too long. */
export function Rendered({ text, isStreaming }: { readonly text: string; readonly isStreaming: boolean }) {
  const shown = usePaced(text, isStreaming);
  if (shown.length > MAX_TEXT) return <Plain text={shown} isNoted />;
  return <Pieces text={shown} isStreaming={isStreaming} />;
}

/** Memoized, since the text grows faster than it is rendered. */
const Pieces = memo(function Pieces({ text, isStreaming }: { readonly text: string; readonly isStreaming: boolean }) {
  const prefix = `note-${useId()}`;
  const all = piecesOf(text);
  const pieces = all.slice(0, MAX_PIECES);
  const rest = all.slice(MAX_PIECES).map(({ source }) => source);
  const mayHaveMath = !hasTooManyFormulas(text);
  const targets = targetsOf(text);
  const labels = labelsOf(text);
  // Strings rather than objects, so that a memoized piece does not change with footnotes and links that it does not
  // name.
  const sharedWith = (source: string) => ({
    prefix,
    mayHaveMath,
    definitions: definitionsFor(source, targets),
    labels: labelsFor(source, labels),
  });
  return (
    <Selectable className={styles["markdown"]}>
      {pieces.map(({ source, open }, i) => {
        const isGrowing = isStreaming && i === all.length - 1;
        return <Piece key={i} {...sharedWith(source)} source={source} open={open} isGrowing={isGrowing} side="text" />;
      })}
      {rest.length === 0 ? null : <Plain text={rest.join("")} isNoted />}
      {labels.length === 0 ? null : (
        <div className={styles["notes"]} role="doc-endnotes">
          {pieces.map(({ source }, i) =>
            labelsFor(source, labels) !== "" && /^ {0,3}\[\^/m.test(source) ? (
              <Piece key={i} {...sharedWith(source)} source={source} open={null} isGrowing={false} side="notes" />
            ) : null,
          )}
        </div>
      )}
    </Selectable>
  );
});

/** Maps labels of link definitions, lowercase, to their lines. */
function targetsOf(text: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  if (!text.includes("]:")) return targets;
  for (const [line, label = ""] of text.matchAll(DEFINITION)) {
    const name = label.trim().toLowerCase();
    if (targets.size < MAX_DEFINITIONS && !targets.has(name)) targets.set(name, line);
  }
  return targets;
}

function definitionsFor(source: string, targets: ReadonlyMap<string, string>): string {
  if (targets.size === 0 || !source.includes("[")) return "";
  const lower = source.toLowerCase();
  const named = [...targets].filter(([name]) => lower.includes(`[${name}]`)).map(([, line]) => line);
  return named.length === 0 ? "" : `${named.join("\n")}\n\n`;
}
