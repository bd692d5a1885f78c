import type { Approval } from "../../../../protocol/wire/question.ts";
import { formatEscapedJson } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { CopyButton } from "../../../ui/button.tsx";
import { listShownArguments, type ShownArgument } from "./approval-content.ts";
import styles from "./shown-arguments.module.css";

/** Shows all arguments of a call, or a note if there are none. Long lines wrap and nothing is folded or cut. */
export function ShownArguments({ approval }: { readonly approval: Approval }) {
  const t = useMessages("question");
  const shown = listShownArguments(approval);
  if (shown.length === 0) return <p className={styles["none"]}>{t("noArguments")}</p>;
  return (
    <div className={styles["frame"]}>
      <dl className={styles["list"]}>
        {shown.map((argument) => (
          <div key={argument.name} className={styles["argument"]}>
            <dt>{argument.name}</dt>
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
  );
}

function ArgumentValue({ argument: { lines, json } }: { readonly argument: ShownArgument }) {
  if (lines === null) return <pre className={styles["json"]}>{json}</pre>;
  return (
    <ol className={styles["code"]}>
      {lines.map((line, i) => (
        // Lines are identified only by their number.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={i}>
          <code>{line === "" ? " " : line}</code>
        </li>
      ))}
    </ol>
  );
}
