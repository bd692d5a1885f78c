import type { Approval } from "../../../../protocol/wire/question.ts";
import { formatEscapedJson } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { CopyButton } from "../../../ui/button.tsx";
import { listShownArguments, type ShownArgument } from "./approval-content.ts";
import { joinPieces, listOriginSources, type OriginSource, type TextPiece } from "./marked-text.ts";
import styles from "./shown-arguments.module.css";

/**
 * Shows all arguments of a call, or a note if there are none. Long lines wrap and nothing is folded or cut. Parts from
 * untrusted text are underlined and carry the number of their source in the legend.
 */
export function ShownArguments({ approval }: { readonly approval: Approval }) {
  const t = useMessages("question");
  const shown = listShownArguments(approval);
  if (shown.length === 0) return <p className={styles["none"]}>{t("noArguments")}</p>;
  return (
    <>
      <div className={styles["frame"]}>
        <dl className={styles["list"]}>
          {shown.map((argument) => (
            <div key={joinPieces(argument.name)} className={styles["argument"]}>
              <dt>
                <MarkedText pieces={argument.name} />
              </dt>
              <dd>
                <ArgumentValue argument={argument} />
              </dd>
            </div>
          ))}
        </dl>
        <span className={styles["copy"]}>
          <CopyButton text={formatEscapedJson(approval.arguments)} />
        </span>
      </div>
      <OriginLegend sources={listOriginSources(approval)} />
    </>
  );
}

function ArgumentValue({ argument: { lines, json } }: { readonly argument: ShownArgument }) {
  if (lines === null)
    return (
      <pre className={styles["json"]}>
        <MarkedText pieces={json} />
      </pre>
    );
  return (
    <ol className={styles["code"]}>
      {lines.map((line, i) => (
        // Lines are identified only by their number.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={i}>
          <code>{line.length === 0 ? " " : <MarkedText pieces={line} />}</code>
        </li>
      ))}
    </ol>
  );
}

function MarkedText({ pieces }: { readonly pieces: readonly TextPiece[] }) {
  return pieces.map(({ text, source }, i) =>
    source === null ? (
      text
    ) : (
      // Pieces are identified only by their position.
      // oxlint-disable-next-line react/no-array-index-key
      <mark key={i} className={styles["foreign"]}>
        {text}
        <sup>{source}</sup>
      </mark>
    ),
  );
}

function OriginLegend({ sources }: { readonly sources: readonly OriginSource[] }) {
  const t = useMessages("question");
  if (sources.length === 0) return null;
  return (
    <ol className={styles["legend"]} aria-label={t("origins")}>
      {sources.map(({ source, seq }) => (
        <li key={`${source} ${seq ?? ""}`}>{t("originOf", { source })}</li>
      ))}
    </ol>
  );
}
