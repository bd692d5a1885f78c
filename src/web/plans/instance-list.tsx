import { CircleAlert } from "lucide-react";
import type { InstanceSummary } from "../../protocol/plan-instance.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { CoverLink } from "../ui/cover-link.tsx";
import { Badge, type Tone } from "../ui/badge.tsx";
import { ButtonLink } from "../ui/button-link.tsx";
import { More } from "../ui/more.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import styles from "./plans.module.css";
import { useInstances } from "./use-plans.ts";
import { WORDS } from "./words.ts";

/** What was started: all of it, or from one template. */
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
      <ul className={styles["list"]}>
        {[...new Map(all.map((instance) => [instance.plan_instance_id, instance])).values()].map((instance) => (
          <Row key={instance.plan_instance_id} instance={instance} />
        ))}
      </ul>
      <More list={list} />
    </>
  );
}

const STANDINGS = {
  active: ["status_running", "info"],
  require_user_input: ["waitsForYou", "warn"],
  // A plan that was stopped is over for its conversation as well: the list is not told which it was.
  completed: ["ended", "plain"],
  failed: ["status_error", "bad"],
  inactive: ["status_cancelled", "plain"],
} as const satisfies Record<NonNullable<InstanceSummary["conversation_status"]>, readonly [string, Tone]>;

function Row({ instance }: { readonly instance: InstanceSummary }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const { plan_instance_id: id, plan_id, plan_version, title, conversation_status: status, created_at } = instance;
  const isWaiting = status === "require_user_input";
  const [words, tone] = STANDINGS[status ?? "active"];
  return (
    <li className={`${styles["row"]} ${isWaiting ? styles["waiting"] : ""}`}>
      <div className={styles["head"]}>
        <h2>
          <CoverLink href={`/instances/${id}`}>{title ?? plan_id}</CoverLink>
        </h2>
        <Badge tone={tone}>
          {isWaiting ? <CircleAlert size={14} aria-hidden /> : null}
          {say(words)}
        </Badge>
      </div>
      <p className={styles["facts"]}>
        <span>{plan_id}</span>
        <span>{say("version", { n: plan_version })}</span>
        <time dateTime={new Date(created_at).toISOString()} title={format.moment(created_at)}>
          {say("startedAt", { when: format.distance(created_at) })}
        </time>
      </p>
    </li>
  );
}
