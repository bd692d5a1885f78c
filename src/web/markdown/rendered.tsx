// A text of Markdown, piece by piece: a new word makes one piece be shown again, the rest stays as it is.

import { useId, useMemo } from "react";
import { piecesOf } from "./blocks.ts";
import { MAX_TEXT } from "./limits.ts";
import styles from "./markdown.module.css";
import { labelsOf, type Notes } from "./notes.ts";
import { usePaced } from "./pace.ts";
import { Piece } from "./piece.tsx";
import { Plain } from "./plain.tsx";

const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*\S.*$/gm;
const MAX_DEFINITIONS = 200;

export function Rendered({ text, isStreaming }: { readonly text: string; readonly isStreaming: boolean }) {
  const shown = usePaced(text, isStreaming);
  if (shown.length > MAX_TEXT) return <Plain text={shown} isNoted />;
  return <Pieces text={shown} isStreaming={isStreaming} />;
}

function Pieces({ text, isStreaming }: { readonly text: string; readonly isStreaming: boolean }) {
  const prefix = `note-${useId()}`;
  const pieces = piecesOf(text);
  const definitions = definitionsOf(text);
  const labels = labelsOf(text).join(" ");
  const notes: Notes = useMemo(() => ({ prefix, labels: labels === "" ? [] : labels.split(" ") }), [prefix, labels]);
  const shared = { definitions, notes };
  return (
    <div className={styles["markdown"]}>
      {pieces.map(({ source, open }, i) => {
        const isGrowing = isStreaming && i === pieces.length - 1;
        return <Piece key={i} {...shared} source={source} open={open} isGrowing={isGrowing} side="text" />;
      })}
      {labels === "" ? null : (
        <div className={styles["notes"]} role="doc-endnotes">
          {pieces.map(({ source }, i) =>
            /^ {0,3}\[\^/m.test(source) ? (
              <Piece key={i} {...shared} source={source} open={null} isGrowing={false} side="notes" />
            ) : null,
          )}
        </div>
      )}
    </div>
  );
}

/** Targets of links that are written once and named elsewhere: every piece that names any has to know all. */
function definitionsOf(text: string): string {
  if (!text.includes("]:")) return "";
  const found = (text.match(DEFINITION) ?? []).slice(0, MAX_DEFINITIONS);
  return found.length === 0 ? "" : `${found.join("\n")}\n\n`;
}
