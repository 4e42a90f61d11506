/**
 * <decoding-playground>: the widget as an element of any page.
 *
 *   <script src="https://…/embed.js" async></script>
 *   <decoding-playground prompt="Once upon a" top_p="0.9"></decoding-playground>
 *
 * Attributes: `state`, the fragment that the dialog Share gives, and by name what
 * such a fragment holds, which wins: view (distribution, compare, beams, draws,
 * lesson, step), prompt, model, toy, kept, strategy, stages, seed, text, die, beams, draws,
 * lesson, start (click, now), slider, theme, lang. The stages temperature, top_k,
 * top_p and min_p may be said alone. `title` is the frame's name.
 *
 * Methods, each a promise, once "ready" has been told: get(names) gives values of
 * state variables ("nucleus_size", {var: "prob", token: "mouse"}), set(state) sets
 * prompt, settings, seed and die by their Hugging Face names, run(steps) draws
 * tokens, or takes them back below 0. Events: ready, change, step, end, error, and
 * of lessons go (another step) and task (one is solved), with `detail`.
 *
 * A plain script without imports: it runs as a classic script and as a module.
 */
(() => {
  const TYPE = "decoding-playground:";
  const PASSED =
    "view prompt bos model toy kept strategy stages list stop max_new_tokens eos seed text die length pane beams draws lesson start slider theme lang";
  const STAGES = ["temperature", "top_k", "top_p", "min_p"];
  const EVENTS = ["ready", "change", "step", "end", "go", "task", "error"];

  const script =
    /** @type {HTMLScriptElement | null} */ (document.currentScript) ??
    /** @type {HTMLScriptElement | null} */ (document.querySelector('script[src*="embed.js"]'));
  const site = new URL(".", script?.src || location.href);

  /** The address of the widget for an element. @param {Element} el */
  function addressOf(el) {
    const q = new URLSearchParams((el.getAttribute("state") ?? "").replace(/^#/, ""));
    for (const name of PASSED.split(" ")) {
      const v = el.getAttribute(name);
      if (v !== null) q.set(name, v);
    }
    const said = STAGES.filter((name) => el.hasAttribute(name));
    if (said.length) {
      q.set("stages", said.map((name) => `${name}:${el.getAttribute(name)}`).join(";"));
      if (!q.has("strategy")) q.set("strategy", "sampling");
    }
    // A page from a disk has no origin to name; it sees the widget, and cannot steer it.
    if (/^https?:/.test(location.origin)) q.append("host", location.origin);
    return new URL(`embed.html#${q}`, site);
  }

  class DecodingPlayground extends HTMLElement {
    static observedAttributes = ["title"];
    /** @type {HTMLIFrameElement | null} */
    #frame = null;
    /** @type {Map<number, {resolve: (v: any) => void, reject: (e: Error) => void}>} */
    #asked = new Map();
    #next = 1;
    /** @param {MessageEvent} e */
    #listen = (e) => this.#hear(e);

    connectedCallback() {
      addEventListener("message", this.#listen);
      const frame = document.createElement("iframe");
      frame.src = addressOf(this).href;
      frame.title = this.title || "Decoding Playground";
      frame.loading = "lazy";
      frame.setAttribute("scrolling", "no");
      Object.assign(frame.style, {
        display: "block",
        inlineSize: "100%",
        blockSize: "300px",
        border: "0",
        borderRadius: "12px",
        colorScheme: "normal",
      });
      if (getComputedStyle(this).display === "inline") this.style.display = "block";
      this.replaceChildren(frame);
      this.#frame = frame;
    }

    disconnectedCallback() {
      removeEventListener("message", this.#listen);
      for (const { reject } of this.#asked.values()) reject(new Error("the widget was taken away"));
      this.#asked.clear();
      this.replaceChildren();
      this.#frame = null;
    }

    attributeChangedCallback() {
      if (this.#frame) this.#frame.title = this.title || "Decoding Playground";
    }

    /** @param {(string | object)[]} names */
    get(names) {
      return this.#ask("get", { names });
    }

    /** @param {object} state */
    set(state) {
      return this.#ask("set", { state });
    }

    /** @param {number} steps */
    run(steps) {
      return this.#ask("run", { steps });
    }

    /** @param {string} call @param {object} what @returns {Promise<any>} */
    #ask(call, what) {
      const to = this.#frame?.contentWindow;
      if (!to) return Promise.reject(new Error("the widget is not in the page"));
      const id = this.#next++;
      return new Promise((resolve, reject) => {
        this.#asked.set(id, { resolve, reject });
        to.postMessage({ type: TYPE + call, id, ...what }, site.origin);
      });
    }

    /** @param {MessageEvent} e */
    #hear({ data, origin, source }) {
      const frame = this.#frame;
      if (!frame || source !== frame.contentWindow || origin !== site.origin) return;
      if (typeof data !== "object" || data === null) return;
      if (data.type === `${TYPE}height` && Number.isFinite(data.height))
        frame.style.blockSize = `${Math.min(4000, Math.max(100, data.height))}px`;
      if (data.type === `${TYPE}event` && EVENTS.includes(data.name))
        this.dispatchEvent(new CustomEvent(data.name, { detail: data }));
      if (data.type !== `${TYPE}answer`) return;
      const asked = this.#asked.get(data.id);
      this.#asked.delete(data.id);
      if (typeof data.error === "string") asked?.reject(new Error(data.error));
      else asked?.resolve(data.result);
    }
  }

  if (!customElements.get("decoding-playground"))
    customElements.define("decoding-playground", DecodingPlayground);
})();
