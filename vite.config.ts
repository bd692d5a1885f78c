import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompileMessages } from "./scripts/precompile-messages.ts";

/** Where `npm start` serves the runtime while the application is worked on with `npx vite`. */
const RUNTIME = process.env["ORRERY_URL"] ?? "http://localhost:8787";

export default defineConfig({
  root: "src/web",
  publicDir: "../../public",
  plugins: [react(), precompileMessages()],
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // The policy allows nothing inline, data addresses in scripts included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "^/(api|health|openapi.json)": { target: RUNTIME, ws: true } } },
});
