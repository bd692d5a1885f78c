// A text of Markdown, piece by piece: a new word makes one piece be shown again, the rest stays as it is.

import { memo, useId } from "react";
import { piecesOf } from "./blocks.ts";
import { MAX_TEXT } from "./limits.ts";
import styles from "./markdown.module.css";
import { labelsFor, labelsOf } from "./notes.ts";
import { usePaced } from "./pace.ts";
import { Piece } from "./piece.tsx";
import { Plain } from "./plain.tsx";

const DEFINITION = /^ {0,3}\[(?!\^)([^\]\n]{1,200})\]:[ \t]*\S.*$/gm;
const MAX_DEFINITIONS = 200;

export function Rendered({ text, isStreaming }: { readonly text: string; readonly isStreaming: boolean }) {
  const shown = usePaced(text, isStreaming);
  if (shown.length > MAX_TEXT) return <Plain text={shown} isNoted />;
  return <Pieces text={shown} isStreaming={isStreaming} />;
}

/** Remembered, as words arrive faster than they are shown. */
const Pieces = memo(function Pieces({ text, isStreaming }: { readonly text: string; readonly isStreaming: boolean }) {
  const prefix = `note-${useId()}`;
  const pieces = piecesOf(text);
  const targets = targetsOf(text);
  const labels = labelsOf(text);
  // As texts, so that a piece stays what it is while what it does not name is added elsewhere.
  const sharedWith = (source: string) => ({
    prefix,
    definitions: definitionsFor(source, targets),
    labels: labelsFor(source, labels),
  });
  return (
    <div className={styles["markdown"]}>
      {pieces.map(({ source, open }, i) => {
        const isGrowing = isStreaming && i === pieces.length - 1;
        return <Piece key={i} {...sharedWith(source)} source={source} open={open} isGrowing={isGrowing} side="text" />;
      })}
      {labels.length === 0 ? null : (
        <div className={styles["notes"]} role="doc-endnotes">
          {pieces.map(({ source }, i) =>
            /^ {0,3}\[\^/m.test(source) ? (
              <Piece key={i} {...sharedWith(source)} source={source} open={null} isGrowing={false} side="notes" />
            ) : null,
          )}
        </div>
      )}
    </div>
  );
});

/** Targets of links that are written once and named elsewhere, by what names them. */
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
