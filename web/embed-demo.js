/** How a course page talks to a widget. */

const widget = /** @type {any} */ (document.querySelector("#strips"));
const answer = /** @type {HTMLOutputElement} */ (document.querySelector("#answer"));

async function show() {
  const [size, bits, text] = await widget.get(["nucleus_size", "entropy_bits", "text"]);
  answer.value = `nucleus_size ${size}, entropy_bits ${bits.toFixed(2)}, text “${text}”`;
}

for (const name of ["ready", "change", "step"]) widget.addEventListener(name, show);
for (const button of document.querySelectorAll("button"))
  button.addEventListener("click", () => {
    const { p, run } = button.dataset;
    if (p) widget.set({ top_p: Number(p) });
    if (run) widget.run(Number(run));
  });
