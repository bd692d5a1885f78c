// S9: spellings of addresses that a stranger might register.

import { describe, expect, test } from "vitest";
import { objectionTo } from "../../src/dispatch/address.ts";

const strict = { allowPrivate: false };

describe("refused", () => {
  test.each([
    "http://agent.example.com/",
    "ftp://agent.example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://user@agent.dev/",
    "https://user:pass@agent.dev/",
    "https://agent.dev@127.0.0.1/",
    "https://agent.dev:22/",
    "https://agent.dev:8080/",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://foo.localhost/",
    "https://localhost.localdomain.local/",
    "https://intranet/",
    "https://metadata/",
    "https://metadata.google.internal/",
    "https://metadata.google.internal./",
    "https://printer.local/",
    "https://nas.lan/",
    "https://router.home.arpa/",
    "https://127.0.0.1/",
    "https://127.0.0.1./",
    "https://127.1/",
    "https://127.255.255.254/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://①②⑦.0.0.1/",
    "https://127。0。0。1/",
    "https://%31%32%37.0.0.1/",
    "https://0.0.0.0/",
    "https://0/",
    "https://10.0.0.1/",
    "https://100.64.0.1/",
    "https://100.127.255.255/",
    "https://169.254.169.254/latest/meta-data/",
    "https://0xa9fea9fe/",
    "https://2852039166/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.0.0.192/",
    "https://192.0.2.1/",
    "https://192.168.1.1/",
    "https://198.18.0.1/",
    "https://203.0.113.9/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:0:7f00:1]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b:1::a9fe:a9fe]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::]/",
    "https://[2001:db8::1]/",
    "https://[3fff::1]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://[fec0::1]/",
    "https://[ff02::1]/",
    "https://[100::1]/",
    "https://127.0.0.1.nip.io/",
    "https://10-0-0-1.sslip.io/",
    "https://localtest.me/",
    "https://something.test/",
    "https://something.onion/",
    "https://under_score/",
  ])("%s", (address) => {
    // What does not even parse is refused before it gets here.
    const objection = URL.canParse(address) ? objectionTo(new URL(address), strict) : "not a URL";
    expect(objection).toEqual(expect.stringMatching(/\w/));
  });
});

describe("accepted", () => {
  test.each([
    "https://agent.dev/",
    "https://agent.dev:443/a2a",
    "https://agent.dev:8443/a2a",
    "https://sub.agent.workers.dev/.well-known/agent-card.json",
    "https://bücher.de/",
    "https://8.8.8.8/",
    "https://100.63.255.255/",
    "https://172.32.0.1/",
    "https://192.169.0.1/",
    "https://[2606:4700:4700::1111]/",
    "https://[2a00:1450:4001:812::200e]/",
    "https://localhost.agent.dev/",
    "https://notlocal.dev/",
  ])("%s", (address) => {
    expect(objectionTo(new URL(address), strict)).toBeUndefined();
  });

  test.each(["http://127.0.0.1:8788/", "http://localhost:3000/", "https://[::1]/"])(
    "%s, where private agents are allowed",
    (address) => {
      expect(objectionTo(new URL(address), { allowPrivate: true })).toBeUndefined();
    },
  );

  test("credentials and other schemes stay refused there", () => {
    expect(objectionTo(new URL("http://a:b@127.0.0.1/"), { allowPrivate: true })).toBeDefined();
    expect(objectionTo(new URL("file:///etc/passwd"), { allowPrivate: true })).toBeDefined();
  });
});
