/** Small GPT-2 checkpoints of made-up weights, as files for a picker. */

/** @typedef {{name: string, mimeType: string, buffer: Buffer}} PickedFile */

const embd = 32;

/** @param {number} vocab @returns {Record<string, number[]>} */
const shapesOf = (vocab) => ({
  "wte.weight": [vocab, embd],
  "wpe.weight": [64, embd],
  "h.0.ln_1.weight": [embd],
  "h.0.ln_1.bias": [embd],
  "h.0.attn.c_attn.weight": [embd, 3 * embd],
  "h.0.attn.c_attn.bias": [3 * embd],
  "h.0.attn.c_proj.weight": [embd, embd],
  "h.0.attn.c_proj.bias": [embd],
  "h.0.ln_2.weight": [embd],
  "h.0.ln_2.bias": [embd],
  "h.0.mlp.c_fc.weight": [embd, 4 * embd],
  "h.0.mlp.c_fc.bias": [4 * embd],
  "h.0.mlp.c_proj.weight": [4 * embd, embd],
  "h.0.mlp.c_proj.bias": [embd],
  "ln_f.weight": [embd],
  "ln_f.bias": [embd],
});

/** @param {number} vocab @param {object} [changes] */
export const configFile = (vocab, changes) =>
  file("config.json", {
    model_type: "gpt2",
    vocab_size: vocab,
    n_positions: 64,
    n_embd: embd,
    n_layer: 1,
    n_head: 2,
    bos_token_id: vocab - 1,
    eos_token_id: vocab - 1,
    ...changes,
  });

/**
 * The tensors that pick picks, as bfloat16.
 *
 * @param {string} name
 * @param {number} vocab
 * @param {(tensor: string) => boolean} [pick]
 */
export function safetensors(name, vocab, pick = () => true) {
  /** @type {Record<string, object>} */
  const header = {};
  /** @type {Buffer[]} */
  const data = [];
  let at = 0;
  for (const [tensor, shape] of Object.entries(shapesOf(vocab)).filter(([t]) => pick(t))) {
    const values = new Uint16Array(shape.reduce((a, b) => a * b));
    let seed = tensor.length;
    for (let i = 0; i < values.length; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      values[i] = ((seed >>> 31) << 15) | 0x3d80 | ((seed >>> 20) & 0x1ff); // 0.06 to 1, both signs
    }
    header[tensor] = { dtype: "BF16", shape, data_offsets: [at, at + values.byteLength] };
    at += values.byteLength;
    data.push(Buffer.from(values.buffer));
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return file(name, Buffer.concat([length, text, ...data]));
}

/**
 * The same tensors in another kind of float.
 *
 * @param {"F16" | "F32"} dtype
 * @param {PickedFile} checkpoint in bfloat16
 * @param {string} name
 */
export function as(dtype, { buffer }, name) {
  const size = dtype === "F16" ? 2 : 4;
  const length = Number(buffer.readBigUInt64LE());
  const header = JSON.parse(buffer.subarray(8, 8 + length).toString());
  for (const entry of Object.values(header)) {
    entry.dtype = dtype;
    entry.data_offsets = entry.data_offsets.map((/** @type {number} */ at) => (at / 2) * size);
  }
  const values = buffer.subarray(8 + length);
  const data = Buffer.alloc((values.length / 2) * size);
  for (let i = 0; i < values.length / 2; i++) {
    const bits = values.readUInt16LE(2 * i);
    if (dtype === "F32") data.writeUInt32LE((bits << 16) >>> 0, 4 * i);
    // 0.06 to 1, of which seven bits are the fraction: the exponent moves from 127 to 15.
    else
      data.writeUInt16LE(
        (bits & 0x8000) | ((((bits >> 7) & 0xff) - 112) << 10) | ((bits & 0x7f) << 3),
        2 * i,
      );
  }
  const text = Buffer.from(JSON.stringify(header));
  const first = Buffer.alloc(8);
  first.writeBigUInt64LE(BigInt(text.length));
  return file(name, Buffer.concat([first, text, data]));
}

/** A tokenizer of bytes and one pair, of so many tokens, and its files. */
export function byteTokenizer() {
  const printable = (/** @type {number} */ b) =>
    (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
  let next = 256;
  const bytes = Array.from({ length: 256 }, (_, b) =>
    String.fromCodePoint(printable(b) ? b : next++),
  );
  const tokens = [...bytes, "th", "<|endoftext|>"];
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const files = [
    file("vocab.json", vocab),
    file("merges.txt", Buffer.from("#version: 0.2\nt h\n")),
  ];
  return { size: tokens.length, files };
}

/** @param {string} name @param {object | Buffer} content @returns {PickedFile} */
export function file(name, content) {
  const buffer = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  return { name, mimeType: "application/octet-stream", buffer };
}
