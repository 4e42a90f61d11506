import { createHash } from "node:crypto";
import { brotliCompressSync, constants } from "node:zlib";
import { expect, test } from "./fixtures.js";
import config from "./playwright.config.js";
import { open, watchMemory, withProfile } from "./undebugged.js";

test.skip(process.platform !== "linux", "how much a page takes is read from /proc");

const sha256 = (/** @type {Buffer} */ b) => createHash("sha256").update(b).digest("hex");

/**
 * Puts a GPT-2 124M on a host whose weights are 0 but for a byte a part: what they are
 * does not change what they take.
 *
 * @param {import("./faulty.js").FaultyHost} host
 * @param {string} id
 */
function publish(host, id) {
  const total = 132_579_456; // at 8 bits in groups of 64
  const size = 5_099_264;
  const parts = Array.from({ length: Math.ceil(total / size) }, (_, i) => {
    const bytes = Buffer.alloc(Math.min(size, total - i * size)).fill(i, 0, 1);
    const coded = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    host.serve(`/models/${id}/part-${i}.bin.br`, coded, "br");
    return {
      file: `part-${i}.bin`,
      bytes: bytes.length,
      sha256: sha256(bytes),
      coded_file: `part-${i}.bin.br`,
      coded_bytes: coded.length,
      coded_sha256: sha256(coded),
    };
  });
  const manifest = {
    format: 1,
    id,
    name: "Zeros 124M",
    config: {
      vocab_size: 50257,
      n_positions: 1024,
      n_embd: 768,
      n_layer: 12,
      n_head: 12,
      bos_token_id: 50256,
      eos_token_id: 50256,
    },
    tokenizer: "gpt2",
    quantisation: { bits: 8, group: 64 },
    parts,
  };
  const line = { id, name: manifest.name, bytes: total, codedBytes: total, n_positions: 1024 };
  const offer = { ...line, bits: 8, licence: "", source: "" };
  host.serve(`/models/${id}/manifest.json`, Buffer.from(JSON.stringify(manifest)));
  host.serve("/models/index.json", Buffer.from(JSON.stringify([offer])));
}

test("GPT-2 124M: a page takes less than 400 MB, on the first visit and on the next", async ({
  host,
}, { project }) => {
  publish(host, "zeros");
  const asked = (/** @type {RegExp} */ path) => host.requests.filter((r) => path.test(r)).length;
  const [browser] = config.projects?.filter(({ name }) => name === project.name) ?? [];
  await withProfile(async (profile) => {
    for (const visit of ["first", "next"]) {
      host.requests.length = 0;
      const end = open(/** @type {any} */ (browser), profile, `${host.url}#explore`);
      const memory = watchMemory(profile);
      try {
        // It is asked for when the first distribution is there, and has come when the
        // site is kept: its last file, or only the list of them.
        const last = visit === "first" ? /widgetparts\.css/ : /serviceworker\.js/;
        await expect.poll(() => asked(last), { timeout: 100_000 }).toBeGreaterThan(0);
        expect(asked(/part-\d+/)).toBe(visit === "first" ? 26 : 0);
      } finally {
        await memory.stop();
        await end();
      }
      console.log(`${visit} visit: ${Math.round(memory.most.resident / 1e6)} MB`);
      expect(memory.most.resident / 1e6).toBeGreaterThan(200); // the model is in it
      expect(memory.most.resident / 1e6).toBeLessThan(400);
    }
  });
});
