// The legend of a chart. A click on a series hides or shows it.

import { numberText } from "../../../protocol/scale.ts";
import { useWords } from "../../language.ts";
import { WORDS } from "../blocks/words.ts";
import styles from "./chart.module.css";
import { colourOf } from "./colours.ts";
import { slicesOf, type Chart } from "./data.ts";

export function Legend({
  chart,
  hidden,
  onToggle,
}: {
  readonly chart: Chart;
  readonly hidden: ReadonlySet<number>;
  readonly onToggle: (series: number) => void;
}) {
  return (
    <ul className={styles["legend"]}>
      {chart.series.map(({ name, color }, i) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={i}>
          <button
            type="button"
            className={styles["legendButton"]}
            aria-pressed={!hidden.has(i)}
            onClick={() => onToggle(i)}
          >
            <Key colour={colourOf(i, color)} />
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The slices of a pie with their values and shares. */
export function PieLegend({ chart }: { readonly chart: Chart }) {
  const say = useWords(WORDS);
  return (
    <ul className={styles["legend"]}>
      {slicesOf(chart).map(({ at, value, share, of }, i) => (
        <li key={at ?? "rest"} className={styles["legendSlice"]}>
          <Key colour={colourOf(i)} />
          {at === null ? say("others", { count: of }) : (chart.xAxis[at] ?? "")}
          <span className={styles["legendShare"]}>
            {numberText(value)} · {Math.round(share * 100)}%
          </span>
        </li>
      ))}
    </ul>
  );
}

function Key({ colour }: { readonly colour: string }) {
  return <span className={styles["key"]} style={{ background: colour }} aria-hidden />;
}
