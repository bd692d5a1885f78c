import { Minus, TrendingDown, TrendingUp } from "lucide-react";
import type { PageBlock } from "../../../../protocol/pages/page.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./blocks.module.css";

type KpiGridBlock = Extract<PageBlock, { type: "kpi_grid" }>;
const TREND_ICONS = { up: TrendingUp, down: TrendingDown, neutral: Minus };

/** Key figures. The trend is shown by icon and text, not by colour alone. */
export function KpiGrid({ block }: { readonly block: KpiGridBlock }) {
  const t = useMessages("blocks");
  return (
    <dl className={styles["kpis"]}>
      {block.data.map(({ label, value, status, subtext }, i) => {
        const Icon = TREND_ICONS[status];
        return (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={i} className={styles["kpi"]}>
            <dt>{label}</dt>
            <dd className={styles["kpiValue"]}>{value}</dd>
            {status === "neutral" && subtext === "" ? null : (
              <dd className={`${styles["kpiStatus"]} ${styles[status]}`}>
                <Icon size={15} aria-hidden />
                <span>
                  <span className={status === "neutral" ? "visually-hidden" : ""}>{t(status)}</span>
                  {subtext === "" ? null : <span className={styles["kpiSubtext"]}> {subtext}</span>}
                </span>
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}
