import { describe, expect, test } from "vitest";
import { textOf } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";
import { memory, namesOf, plainSandbox, plan, smithy, stepsOf, write } from "./fixtures/smithy.ts";

describe("[F34] code that a person has to allow", () => {
  const settings = { TOOLSMITH_NEEDS_APPROVAL: "1" };
  const asked = async (sandbox = plainSandbox(), registry = memory(), over = {}) => {
    const model = scriptedModel([{ calls: [plan("678×8776")] }, { calls: [write(over)] }, { text: "It is 5950128." }]);
    const smith = smithy(model, { settings, sandbox, registry });
    const said = await smith.ask("678×8776");
    const question = said.at(-1);
    if (question?.type !== "input_required") throw new Error(JSON.stringify(said));
    const answer = (reply: object) =>
      smith.ask("678×8776", { reply: { answer: { message: "", ...reply }, state: question.state ?? "" } });
    return { said, question, answer, sandbox, registry };
  };

  test("is shown with the result of its check before it runs", async () => {
    const { said, question, sandbox } = await asked();
    expect(namesOf(said)).toEqual(["search", "generate", "safety_check"]);
    expect(question.prompt).toContain("function run({ a, b }) { return a * b; }");
    expect(question.prompt).toContain("The safety check has passed");
    expect(question.approval).toMatchObject({ tool: "run_new_tool", arguments: { arguments: { a: 678, b: 8776 } } });
    expect(sandbox.calls).toEqual([]);
  });

  test("cannot end the fence in which it is shown, nor hide anything in it", async () => {
    const code = "/*\n```\n<!--\n*/ const all = 1; /*\n-->\n````js\u202e\n*/\nfunction run() { return all; }";
    const { question } = await asked(plainSandbox(), memory(), { code });
    const [, shown] = /\n`{5}js\n(.*)\n`{5}\n/s.exec(question.prompt) ?? [];
    expect(shown).toBe(code.replace("\u202e", "\\u202e"));
  });

  test("runs once it is allowed", async () => {
    const { answer, registry } = await asked();
    const said = await answer({ decision: "approve" });
    expect(namesOf(said)).toEqual(["safety_check", "execute", "register"]);
    expect(textOf(said)).toBe("It is 5950128.");
    expect(registry.tools).toHaveLength(1);
  });

  test("does not run when it is refused, and says so", async () => {
    const { answer, sandbox, registry } = await asked();
    const said = await answer({ message: "no", decision: "refuse" });
    expect(textOf(said)).toContain("You refused");
    expect([sandbox.calls, registry.tools]).toEqual([[], []]);
  });

  test("may be changed by the person, and is checked again", async () => {
    const { question, answer, sandbox } = await asked();
    const given = question.approval?.arguments ?? {};
    const edited = await answer({ arguments: { ...given, code: "function run({ a, b }) { return a + b; }" } });
    expect(stepsOf(edited)).toContainEqual(["execute", expect.objectContaining({ result: "9454" })]);
    const unsafe = await answer({ arguments: { ...given, code: "function run() { return fetch('x'); }" } });
    expect(unsafe.at(-1)).toMatchObject({ type: "input_required", prompt: expect.stringMatching(/fetch/) as string });
    expect(sandbox.calls).toHaveLength(1);
  });
});
