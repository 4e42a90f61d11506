/**
 * A host that goes wrong: it stands between the browser and the built server
 * and breaks the answers that a test names. What is broken here is broken for
 * page, worker and every browser alike, which a browser's own switches are not.
 */

import { createServer, request } from "node:http";

/**
 * @typedef {import("node:http").IncomingMessage} Incoming
 * @typedef {import("node:http").ServerResponse} Answer
 *
 * @typedef {{status: number, headers: import("node:http").IncomingHttpHeaders, body: Buffer}} Whole
 * @typedef {(answer: Answer, whole: Whole) => void | Promise<void>} Fault
 *
 * @typedef {object} Rule
 * @property {RegExp} path
 * @property {Fault} fault
 * @property {number} times how often it still strikes
 */

/** The faults: each answers in its own way with what the server would have sent. */
export const faults = {
  /** @type {Fault} */
  missing: (answer) => void answer.writeHead(404).end("not found\n"),

  /** What hosts of single-page apps do with a path that they don't know. @type {Fault} */
  html: (answer) =>
    void answer
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end("<!doctype html><title>Home</title>"),

  /** @type {Fault} */
  busy: (answer) => void answer.writeHead(503, { "retry-after": "1" }).end("busy\n"),

  /** The connection breaks before a byte came. @type {Fault} */
  gone: (answer) => void answer.destroy(),

  /** The connection breaks halfway. @type {Fault} */
  cut: (answer, whole) => cutAt(0.5)(answer, whole),

  /** Half a file that looks whole. @type {Fault} */
  short: (answer, { body }) =>
    void answer.writeHead(200, plain).end(body.subarray(0, body.length / 2)),

  /** One wrong byte in the middle. @type {Fault} */
  corrupt(answer, { status, headers, body }) {
    const wrong = Buffer.from(body);
    wrong[wrong.length >> 1] ^= 0x10;
    answer.writeHead(status, headers).end(wrong);
  },
};

/** The connection breaks when so much came. @param {number} share @returns {Fault} */
export function cutAt(share) {
  return (answer, { status, headers, body }) => {
    answer.writeHead(status, headers);
    answer.write(body.subarray(0, body.length * share), () => answer.destroy());
  };
}

/** Another file than the one that lies there, with no word on how it is coded.
 * @param {(body: Buffer) => Buffer} change @returns {Fault} */
export function instead(change) {
  return (answer, { body }) => void answer.writeHead(200, plain).end(change(body));
}

/** So many bytes a second, in ten pieces. @param {number} rate @returns {Fault} */
export function drip(rate) {
  return (answer, { status, headers, body }) => {
    answer.writeHead(status, headers);
    let at = 0;
    const timer = setInterval(() => {
      answer.write(body.subarray(at, at + rate / 10));
      at += rate / 10;
      if (at >= body.length) answer.end();
    }, 100);
    answer.on("close", () => clearInterval(timer));
  };
}

/** A slow host whose clock is the test: next lets another piece of an answer through. */
export function piecemeal(pieces = 10) {
  /** @type {() => void} */
  let next = () => {};
  return {
    next: () => next(),
    /** @type {Fault} */
    fault(answer, { status, headers, body }) {
      const size = Math.ceil(body.length / pieces);
      let at = 0;
      next = () => {
        if (at >= body.length) return;
        if (at + size >= body.length) answer.end(body.subarray(at));
        else answer.write(body.subarray(at, at + size));
        at += size;
      };
      answer.writeHead(status, headers);
      next();
    },
  };
}

const plain = { "content-type": "application/octet-stream" };

/**
 * @param {string} upstream address of the server
 * @returns {Promise<FaultyHost>}
 *
 * @typedef {object} FaultyHost
 * @property {string} url
 * @property {(path: RegExp, fault: Fault, times?: number) => void} fail breaks answers for matching paths
 * @property {() => void} mend ends all faults
 * @property {(path: string, body: Buffer, encoding?: string) => void} serve answers with a file of the test's own
 * @property {() => void} noEncoding from now on, files come as they lie there, without Content-Encoding
 * @property {string[]} requests paths asked for, in order
 * @property {() => Promise<void>} close
 */
export async function startFaultyHost(upstream) {
  /** @type {Rule[]} */
  let rules = [];
  /** @type {Map<string, (takes: string[]) => Whole>} by the codings that a browser takes */
  const own = new Map();
  let encoding = true;
  /** @type {string[]} */
  const requests = [];

  const server = createServer(async (req, answer) => {
    const path = req.url ?? "/";
    requests.push(path);
    const rule = rules.find((r) => r.times > 0 && r.path.test(path));
    if (rule) rule.times--;
    const headers = { ...req.headers };
    if (!encoding) headers["accept-encoding"] = "identity";
    delete headers.host;
    try {
      const takes = String(headers["accept-encoding"] ?? "").split(/, */);
      const whole =
        own.get(path)?.(takes) ??
        (await ask(new URL(path, upstream), req.method ?? "GET", headers));
      if (rule) await rule.fault(answer, whole);
      else answer.writeHead(whole.status, whole.headers).end(whole.body);
    } catch (error) {
      answer.destroy(/** @type {Error} */ (error));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    fail(path, fault, times = Number.POSITIVE_INFINITY) {
      rules.push({ path, fault, times });
    },
    mend() {
      rules = [];
    },
    serve(path, body, encoding) {
      own.set(path, (takes) => {
        const coding = takes.includes(encoding ?? "") ? { "content-encoding": encoding } : {};
        const headers = { ...plain, ...coding, "cache-control": "max-age=600" };
        return { status: 200, headers, body };
      });
    },
    noEncoding() {
      encoding = false;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * @param {URL} url
 * @param {string} method
 * @param {import("node:http").OutgoingHttpHeaders} headers
 * @returns {Promise<Whole>}
 */
function ask(url, method, headers) {
  return new Promise((resolve, reject) => {
    const out = request(url, { method, headers }, (/** @type {Incoming} */ answer) => {
      /** @type {Buffer[]} */
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 500,
          headers: answer.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    out.on("error", reject);
    out.end();
  });
}
