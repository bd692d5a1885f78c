import { toFault } from "../../protocol/fault.ts";
import { useWords } from "../language.ts";
import styles from "./add-agent.module.css";
import { refusalOf } from "./registering.ts";
import { WORDS } from "./words.ts";

/** Why an agent was not registered, and below it the server's own words. */
export function Refusal({ error, url }: { readonly error: unknown; readonly url?: string }) {
  const say = useWords(WORDS);
  return (
    <div role="alert" className={styles["refusal"]}>
      <strong>{say(refusalOf(error, url))}</strong>
      <p>{toFault(error).message}</p>
    </div>
  );
}
