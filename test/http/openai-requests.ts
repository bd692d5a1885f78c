// Requests that the official OpenAI clients really send: recorded from the named versions, with other texts and
// without the headers of connections and proxies.

type RecordedRequest = { readonly headers: Readonly<Record<string, string>>; readonly body?: string };

export type RecordedClient = {
  readonly client: string;
  /** Headers of all its requests. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<"models" | "stream" | "tools" | "parts" | "image", RecordedRequest>>;
};

export const RECORDED: readonly RecordedClient[] = [
  {
    client: "OpenAI/Python 2.54.0",
    headers: {
      accept: "application/json",
      "user-agent": "OpenAI/Python 2.54.0",
      "x-stainless-arch": "x64",
      "x-stainless-async": "false",
      "x-stainless-lang": "python",
      "x-stainless-os": "Linux",
      "x-stainless-package-version": "2.54.0",
      "x-stainless-read-timeout": "600",
      "x-stainless-retry-count": "0",
      "x-stainless-runtime": "CPython",
      "x-stainless-runtime-version": "3.13.5",
    },
    requests: {
      models: {
        headers: {},
      },
      stream: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"messages":[{"role":"user","content":"hello"}],"model":"orrery","stream":true,"stream_options":{"include_usage":true}}',
      },
      tools: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"messages":[{"role":"user","content":"x"}],"model":"orrery","tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]}',
      },
      parts: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"messages":[{"role":"developer","content":"Be terse. 简洁"},{"role":"system","content":[{"type":"text","text":"你好"}]},{"role":"user","content":"早"},{"role":"assistant","content":"好"},{"role":"user","content":[{"type":"text","text":"你好 👋🏽"},{"type":"text","text":"hello"}]}],"model":"orrery"}',
      },
      image: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]}],"model":"orrery"}',
      },
    },
  },
  {
    client: "OpenAI::Client/Ruby 0.80.0",
    headers: {
      "user-agent": "OpenAI::Client/Ruby 0.80.0",
      "x-stainless-arch": "x64",
      "x-stainless-lang": "ruby",
      "x-stainless-os": "Linux",
      "x-stainless-package-version": "0.80.0",
      "x-stainless-retry-count": "0",
      "x-stainless-runtime": "ruby",
      "x-stainless-runtime-version": "3.3.8",
      "x-stainless-timeout": "600.0",
    },
    requests: {
      models: {
        headers: {
          accept: "application/json",
        },
      },
      stream: {
        headers: {
          accept: "text/event-stream",
          "content-type": "application/json",
        },
        body: '{"model":"orrery","stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hello"}],"stream":true}',
      },
      tools: {
        headers: {
          accept: "application/json",
          "content-type": "application/json",
        },
        body: '{"model":"orrery","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]}',
      },
      parts: {
        headers: {
          accept: "application/json",
          "content-type": "application/json",
        },
        body: '{"model":"orrery","messages":[{"role":"developer","content":"简洁"},{"role":"user","content":"早"},{"role":"assistant","content":"好"},{"role":"user","content":[{"type":"text","text":"你好 👋🏽"},{"type":"text","text":"hello"}]}]}',
      },
      image: {
        headers: {
          accept: "application/json",
          "content-type": "application/json",
        },
        body: '{"model":"orrery","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]}]}',
      },
    },
  },
  {
    client: "OpenAI/Go 3.52.0",
    headers: {
      accept: "application/json",
      "user-agent": "OpenAI/Go 3.52.0",
      "x-stainless-arch": "x64",
      "x-stainless-lang": "go",
      "x-stainless-os": "Linux",
      "x-stainless-package-version": "3.52.0",
      "x-stainless-retry-count": "0",
      "x-stainless-runtime": "go",
      "x-stainless-runtime-version": "go1.24.4",
    },
    requests: {
      models: {
        headers: {},
      },
      stream: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"messages":[{"content":"hello","role":"user"}],"model":"orrery","stream_options":{"include_usage":true},"stream":true}',
      },
      tools: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"messages":[{"content":"x","role":"user"}],"model":"orrery","tools":[{"function":{"name":"f","parameters":{"type":"object"}},"type":"function"}]}',
      },
      parts: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"messages":[{"content":"简洁","role":"developer"},{"content":"你好","role":"system"},{"content":"早","role":"user"},{"content":"好","role":"assistant"},{"content":[{"text":"你好 👋🏽","type":"text"},{"text":"hello","type":"text"}],"role":"user"}],"model":"orrery"}',
      },
      image: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"messages":[{"content":[{"image_url":{"url":"data:image/png;base64,AA"},"type":"image_url"}],"role":"user"}],"model":"orrery"}',
      },
    },
  },
  {
    client: "OpenAI/JS 7.55.0",
    headers: {
      accept: "application/json",
      "accept-language": "*",
      "sec-fetch-mode": "cors",
      "user-agent": "OpenAI/JS 7.55.0",
      "x-stainless-arch": "x64",
      "x-stainless-lang": "js",
      "x-stainless-os": "Linux",
      "x-stainless-package-version": "7.55.0",
      "x-stainless-retry-count": "0",
      "x-stainless-runtime": "node",
      "x-stainless-runtime-version": "v24.21.0",
    },
    requests: {
      models: {
        headers: {},
      },
      parts: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"model":"orrery","messages":[{"role":"developer","content":"简洁"},{"role":"user","content":"早"},{"role":"assistant","content":"好"},{"role":"user","content":[{"type":"text","text":"你好 👋🏽"},{"type":"text","text":"hello"}]}]}',
      },
      stream: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"model":"orrery","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hello"}]}',
      },
      tools: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"model":"orrery","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}',
      },
      image: {
        headers: {
          "content-type": "application/json",
        },
        body: '{"model":"orrery","messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]}]}',
      },
    },
  },
];
