import { useState } from "react";
import type { PlanTemplate } from "../../protocol/plan-template.ts";
import { halfFor } from "../bilingual.ts";
import { useFormat } from "../format.ts";
import { useLanguage, useWords } from "../language.ts";
import { Json } from "../steps/json.tsx";
import { Back } from "../ui/back.tsx";
import { Badge } from "../ui/badge.tsx";
import { Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { Select } from "../ui/select.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { configOf } from "./config.ts";
import { pictureOfTemplate } from "./drawn.ts";
import { InstanceList } from "./instance-list.tsx";
import { PlanPicture } from "./picture.tsx";
import { TemplateActions } from "./template-actions.tsx";
import { TemplateStanding } from "./template-list.tsx";
import styles from "./template.module.css";
import { useTemplate, useVersions } from "./use-plans.ts";
import { WORDS } from "./words.ts";

const SHOWN = ["course", "json", "instances"] as const;
type Shown = (typeof SHOWN)[number];

export function Template({ id }: { readonly id: string }) {
  const say = useWords(WORDS);
  /** Undefined: the current version, even if that changes. */
  const [version, setVersion] = useState<number>();
  const [shown, setShown] = useState<Shown>("course");
  const { data: current } = useTemplate(id);
  const { data: template, error, refetch } = useTemplate(id, version);
  return (
    <Panel
      title={template?.name ?? say("template")}
      actions={current === undefined ? null : <TemplateActions template={current} />}
    >
      <Back href="/plans?show=templates" label={say("templates")} />
      {template === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <Head template={template} current={current?.version} onVersion={setVersion} />
          <Tabs
            label={say("areas")}
            tabs={SHOWN.map((name) => ({ name, label: say(name) }))}
            chosen={shown}
            onChoose={setShown}
          >
            <Shown template={template} shown={shown} />
          </Tabs>
        </>
      )}
    </Panel>
  );
}

function Shown({ template, shown }: { readonly template: PlanTemplate; readonly shown: Shown }) {
  const say = useWords(WORDS);
  switch (shown) {
    case "course":
      return (
        <>
          <h2 className="visually-hidden">{say("course")}</h2>
          <PlanPicture picture={pictureOfTemplate(template)} />
        </>
      );
    case "json":
      return <Json value={configOf(template)} />;
    case "instances":
      return <InstanceList planId={template.plan_id} />;
  }
}

function Head({
  template: { plan_id, description, version, status, updated_at },
  current = version,
  onVersion,
}: {
  readonly template: PlanTemplate;
  readonly current: number | undefined;
  readonly onVersion: (version: number | undefined) => void;
}) {
  const say = useWords(WORDS);
  const format = useFormat();
  const language = useLanguage();
  const { data } = useVersions(plan_id);
  const versions = data?.versions ?? [];
  return (
    <header className={styles["about"]}>
      {description === "" ? null : <p>{halfFor(language, description)}</p>}
      <div className={styles["line"]}>
        <TemplateStanding status={status} />
        <code>{plan_id}</code>
        <Badge>{say("version", { n: version })}</Badge>
        <span className={styles["quiet"]}>{say("updated", { when: format.distance(updated_at) })}</span>
      </div>
      {status === "released" ? null : (
        <p className={styles["quiet"]}>{say(status === "archived" ? "archivedNote" : "draftNote")}</p>
      )}
      {version === current ? null : (
        <p role="status" className={styles["old"]}>
          {say("oldVersion", { n: version, current })}
        </p>
      )}
      {versions.length < 2 ? null : (
        <div className={styles["versions"]}>
          <Select
            label={say("versions")}
            value={String(version)}
            options={versions.map(({ version: n, created_at }) => {
              const words = `${say("version", { n })} · ${format.moment(created_at)}`;
              return [String(n), n === current ? say("current", { version: words }) : words] as const;
            })}
            onChange={(value) => onVersion(Number(value) === current ? undefined : Number(value))}
          />
        </div>
      )}
    </header>
  );
}
