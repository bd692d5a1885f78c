import type { Approval } from "../../protocol/question.ts";
import { visibleJson } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Copy } from "../ui/copy.tsx";
import { shownIn, type Shown } from "./approval.ts";
import { WORDS } from "./words.ts";
import styles from "./shown-arguments.module.css";

/** Shows all arguments of a call. Long lines wrap and nothing is folded, so that no part stays hidden. */
export function ShownArguments({ approval }: { readonly approval: Approval }) {
  const say = useWords(WORDS);
  const shown = shownIn(approval);
  if (shown.length === 0) return <p className={styles["none"]}>{say("noArguments")}</p>;
  return (
    <div className={styles["frame"]}>
      <dl className={styles["list"]}>
        {shown.map((argument) => (
          <div key={argument.name} className={styles["argument"]}>
            <dt>{argument.name}</dt>
            <dd>
              <Value argument={argument} />
            </dd>
          </div>
        ))}
      </dl>
      <span className={styles["copy"]}>
        <Copy text={visibleJson(approval.arguments)} />
      </span>
    </div>
  );
}

function Value({ argument: { lines, json } }: { readonly argument: Shown }) {
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
