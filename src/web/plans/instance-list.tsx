import { CircleAlert } from "lucide-react";
import type { InstanceSummary } from "../../protocol/plan-instance.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { Card, CardFacts, CardHead, Cards } from "../ui/cards.tsx";
import { CoverLink } from "../ui/cover-link.tsx";
import { Badge } from "../ui/badge.tsx";
import { ButtonLink } from "../ui/button-link.tsx";
import { More } from "../ui/more.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import styles from "./plans.module.css";
import { standingOf } from "./standing.ts";
import { useInstances } from "./use-plans.ts";
import { WORDS } from "./words.ts";

/** The list of instances, of all templates or of one. */
export function InstanceList({ planId }: { readonly planId?: string }) {
  const say = useWords(WORDS);
  const list = useInstances(planId);
  const { data, error, refetch } = list;
  if (data === undefined)
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
  const all = data.pages.flatMap(({ instances }) => instances);
  if (all.length === 0)
    return (
      <Empty title={say("noInstances")}>
        <p>{say("noInstancesMore")}</p>
        {planId === undefined ? (
          <ButtonLink href="/plans?show=templates" look="primary">
            {say("showTemplates")}
          </ButtonLink>
        ) : null}
      </Empty>
    );
  return (
    <>
      <Cards>
        {[...new Map(all.map((instance) => [instance.plan_instance_id, instance])).values()].map((instance) => (
          <Row key={instance.plan_instance_id} instance={instance} />
        ))}
      </Cards>
      <More list={list} />
    </>
  );
}

function Row({ instance }: { readonly instance: InstanceSummary }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const { plan_instance_id: id, plan_id, plan_version, title, created_at, ended_at } = instance;
  const [words, tone] = standingOf(instance);
  const isWaiting = words === "waitsForYou";
  return (
    <Card look={isWaiting ? styles["waiting"] : ""}>
      <CardHead>
        <h2>
          <CoverLink href={`/instances/${id}`}>{title ?? plan_id}</CoverLink>
        </h2>
        <Badge tone={tone}>
          {isWaiting ? <CircleAlert size={14} aria-hidden /> : null}
          {say(words)}
        </Badge>
      </CardHead>
      <CardFacts>
        <span>{plan_id}</span>
        <span>{say("version", { n: plan_version })}</span>
        <time dateTime={new Date(created_at).toISOString()} title={format.moment(created_at)}>
          {say("startedAt", { when: format.distance(created_at) })}
        </time>
        {ended_at === undefined ? null : <span>{format.duration(ended_at - created_at)}</span>}
      </CardFacts>
    </Card>
  );
}
