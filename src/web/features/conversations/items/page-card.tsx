import { LayoutDashboard } from "lucide-react";
import { Link } from "wouter";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./steps.module.css";
import { toFields, getStringField, type JsonFields } from "../state/step-values.ts";

const MAX_FIGURES = 4;

/** Shows a page that an agent builds: its title, summary, first figures and, once it is stored, a link to it. */
export function PageCard({ fields }: { readonly fields: JsonFields }) {
  const t = useMessages("steps");
  const id = getStringField(fields, "page_id");
  const page = toFields(fields["page"]) ?? {};
  const meta = toFields(page["meta"]) ?? {};
  const title = escapeInvisible(getStringField(meta, "pageTitle"));
  const figures = listFigures(page);
  return (
    <section className={styles["card"]} aria-label={t("page")}>
      <div className={styles["head"]}>
        <LayoutDashboard size={16} aria-hidden />
        <strong>{title === "" ? t("page") : title}</strong>
      </div>
      <p className={styles["quiet"]}>{escapeInvisible(getStringField(meta, "summary"))}</p>
      {figures.length === 0 ? null : (
        <dl className={styles["kpis"]}>
          {figures.map((figure, i) => (
            <div key={i}>
              <dt>{escapeInvisible(getStringField(figure, "label"))}</dt>
              <dd>{escapeInvisible(getStringField(figure, "value"))}</dd>
            </div>
          ))}
        </dl>
      )}
      {id === "" ? (
        <p className={styles["quiet"]}>{t("pageBuilding")}</p>
      ) : (
        <Link className={styles["link"] ?? ""} href={`/pages/${encodeURIComponent(id)}`}>
          {t("openPage")}
        </Link>
      )}
    </section>
  );
}

/** Returns the first figures of a page, from the KPI grids of all its tabs. */
function listFigures(page: JsonFields): JsonFields[] {
  const blocks = getObjectList(page, "tabs").flatMap((tab) => getObjectList(tab, "blocks"));
  const grids = blocks.filter(({ type }) => type === "kpi_grid");
  return grids.flatMap((grid) => getObjectList(grid, "data")).slice(0, MAX_FIGURES);
}

function getObjectList(fields: JsonFields, name: string): JsonFields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.map(toFields).filter((entry) => entry !== null) : [];
}
