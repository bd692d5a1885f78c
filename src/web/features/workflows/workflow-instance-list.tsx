import { CircleAlert } from "lucide-react";
import type { InstanceSummary } from "../../../protocol/workflows/workflow-instance.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useMessages } from "../../session/language.ts";
import { Card, CardFacts, CardHead, CardList, CoverLink } from "../../ui/card-list.tsx";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyNotice, LoadFailure, Loading, LoadMore } from "../../ui/notice.tsx";
import styles from "./workflows-page.module.css";
import { getInstanceStatus } from "./instance-status.ts";
import { useWorkflowInstances } from "./use-workflows.ts";

/** The list of the instances of a template, or without `planId` of all templates. */
export function WorkflowInstanceList({ planId }: { readonly planId?: string }) {
  const t = useMessages("workflows");
  const list = useWorkflowInstances(planId);
  const { data, error, refetch } = list;
  if (data === undefined)
    return error === null ? <Loading /> : <LoadFailure error={error} onRetry={() => void refetch()} />;
  const all = data.pages.flatMap(({ instances }) => instances);
  if (all.length === 0)
    return (
      <EmptyNotice title={t("noInstances")}>
        <p>{t("noInstancesMore")}</p>
        {planId === undefined ? (
          <ButtonLink href="/plans?show=templates" look="primary">
            {t("showTemplates")}
          </ButtonLink>
        ) : null}
      </EmptyNotice>
    );
  return (
    <>
      <CardList>
        {[...new Map(all.map((instance) => [instance.plan_instance_id, instance])).values()].map((instance) => (
          <InstanceListCard key={instance.plan_instance_id} instance={instance} />
        ))}
      </CardList>
      <LoadMore list={list} />
    </>
  );
}

function InstanceListCard({ instance }: { readonly instance: InstanceSummary }) {
  const t = useMessages("workflows");
  const format = useFormatter();
  const { plan_instance_id: id, plan_id, plan_version, title, created_at, ended_at } = instance;
  const [words, tone] = getInstanceStatus(instance);
  const isWaiting = words === "needsInput";
  return (
    <Card look={isWaiting ? styles["waiting"] : ""}>
      <CardHead>
        <h2>
          <CoverLink href={`/instances/${id}`}>{title ?? plan_id}</CoverLink>
        </h2>
        <Badge tone={tone}>
          {isWaiting ? <CircleAlert size={14} aria-hidden /> : null}
          {t(words)}
        </Badge>
      </CardHead>
      <CardFacts>
        <span>{plan_id}</span>
        <span>{t("version", { n: plan_version })}</span>
        <time dateTime={new Date(created_at).toISOString()} title={format.dateTime(created_at)}>
          {t("startedAt", { when: format.relativeTime(created_at) })}
        </time>
        {ended_at === undefined ? null : <span>{format.duration(ended_at - created_at)}</span>}
      </CardFacts>
    </Card>
  );
}
