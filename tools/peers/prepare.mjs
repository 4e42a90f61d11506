/**
 * Lays a speed harness and this site out in a work folder:
 *
 *   node tools/peers/prepare.mjs HARNESS WORK DIST
 *
 * HARNESS is a folder with run.mjs, setup.sh, contenders.mjs and page/. It is
 * copied to WORK/out, where its README wants it, with this page as one more
 * contender. Then `sh out/setup.sh` in WORK gets the peers.
 */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const [harness, work, dist] = process.argv.slice(2);
const here = import.meta.dirname;
const out = join(work, "out");

mkdirSync(out, { recursive: true });
cpSync(harness, out, { recursive: true, filter: (from) => !from.endsWith("results") });
for (const name of readdirSync(out, { recursive: true })) {
  chmodSync(join(out, String(name)), 0o755); // the harness may be read-only
}
cpSync(join(out, "contenders.mjs"), join(out, "peers.mjs"));
cpSync(join(here, "adapter.js"), join(out, "page/adapters/playground.js"));
cpSync(join(here, "serve.mjs"), join(out, "serve.mjs"));
// Its runner has each page keep what it fetched, for a debugger: no reader's browser does.
const forgetful = join(here, "../../e2e/soak/forgetful.js");
const run = readFileSync(join(out, "run.mjs"), "utf8");
writeFileSync(
  join(out, "run.mjs"),
  run.replaceAll("'/usr/bin/chromium'", JSON.stringify(forgetful)),
);

rmSync(join(work, "dist"), { recursive: true, force: true });
cpSync(dist, join(work, "dist"), { recursive: true });
const version = readdirSync(dist).find((name) => name.startsWith("v-"));
if (!version) throw new Error(`${dist}: no folder v-…: make site`);

const ours = {
  id: "playground",
  adapter: "playground",
  site: `/dist/${version}/`,
  model: "/models/playground/",
};
writeFileSync(
  join(out, "contenders.mjs"),
  `import peers from "./peers.mjs";\nexport default [${JSON.stringify({ ...ours, coi: false })}, ...peers];\n`,
);
if (!existsSync(join(work, "node_modules"))) console.log(`then: cd ${work} && sh out/setup.sh`);
