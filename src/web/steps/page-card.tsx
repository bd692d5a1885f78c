import { LayoutDashboard } from "lucide-react";
import { Link } from "wouter";
import { visible } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import styles from "./steps.module.css";
import { fieldsOf, stringIn, type Fields } from "./values.ts";
import { WORDS } from "./words.ts";

const MAX_FIGURES = 4;

/** Shows a page that an agent built: its title, its first figures and a link. */
export function PageCard({ fields }: { readonly fields: Fields }) {
  const say = useWords(WORDS);
  const id = stringIn(fields, "page_id");
  const page = fieldsOf(fields["page"]) ?? {};
  const meta = fieldsOf(page["meta"]) ?? {};
  const title = visible(stringIn(meta, "pageTitle"));
  const figures = figuresOf(page);
  return (
    <section className={styles["card"]} aria-label={say("page")}>
      <div className={styles["head"]}>
        <LayoutDashboard size={16} aria-hidden />
        <strong>{title === "" ? say("page") : title}</strong>
      </div>
      <p className={styles["quiet"]}>{visible(stringIn(meta, "summary"))}</p>
      {figures.length === 0 ? null : (
        <dl className={styles["kpis"]}>
          {figures.map((figure, i) => (
            <div key={i}>
              <dt>{visible(stringIn(figure, "label"))}</dt>
              <dd>{visible(stringIn(figure, "value"))}</dd>
            </div>
          ))}
        </dl>
      )}
      {id === "" ? (
        <p className={styles["quiet"]}>{say("pageGrows")}</p>
      ) : (
        <Link className={styles["link"] ?? ""} href={`/pages/${encodeURIComponent(id)}`}>
          {say("openPage")}
        </Link>
      )}
    </section>
  );
}

/** Returns the first figures of a page, from the KPI grids of all its tabs. */
function figuresOf(page: Fields): Fields[] {
  const blocks = listIn(page, "tabs").flatMap((tab) => listIn(tab, "blocks"));
  const grids = blocks.filter(({ type }) => type === "kpi_grid");
  return grids.flatMap((grid) => listIn(grid, "data")).slice(0, MAX_FIGURES);
}

function listIn(fields: Fields, name: string): Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.map(fieldsOf).filter((entry) => entry !== null) : [];
}
