/**
 * Every text that a user reads. A text is a string, or a plural: one string a
 * plural form, chosen by the value n. {name} is replaced by a value; {n} is
 * written as a whole number, {mass} and {share} as per cent.
 */

/** @typedef {string | {one?: string, other: string}} Text */

export const language = "en";

/** @type {Record<string, Text>} */
const TEXTS = {
  // The page
  "page.title": "Decoding Playground",
  "page.home": "Decoding Playground, start",
  "page.skip": "Skip to the page",
  "nav.name": "Views",
  "nav.explore": "Explore",
  "nav.compare": "Compare",
  "nav.beams": "Beams",
  "nav.lessons": "Lessons",
  "theme.switch": "Light or dark",
  "controls.name": "Settings",
  "explore.title": "How a language model chooses the next token",
  tokens: { one: "{n} token", other: "{n} tokens" },
  "unit.tokens": { one: "token", other: "tokens" },
  "unit.bits": "bits",

  // Tokens
  "token.bytes": "bytes {hex}",
  "token.newline": "newline",
  "token.spaces": "spaces",
  "token.id": "id {id}",

  // The text
  "text.title": "Text",
  "text.branches": "Branches",
  "text.branch": "Branch {name}",
  "text.examples": "Examples",
  "text.edit": "Edit prompt",
  "text.done": "Done",
  "text.prompt": "Prompt",
  "text.bos": "Begin with <|endoftext|>, the mark between documents",
  "text.next": "next token",
  "text.token": "{token}, token {n}, {share}",
  "text.space":
    "The prompt ends in a space. In GPT-2 the space belongs to the next word, so results get odd.",
  "text.spaceShort": "The prompt ends in a space.",
  "text.trim": "Remove it",
  "text.reading": { one: "Reading {n} token", other: "Reading {n} tokens, {done} done" },

  "stop.eos": "ended",
  "stop.max_new_tokens": "length reached",
  "stop.context": "context full",
  "stop.stop_string": "stop text reached",
  "stop.early_stopping": "search ended",
  "stop.no_candidates": "nothing left to take",

  // The step
  "why.die":
    "The die fell at {die}, inside {token} ({low} to {high}). The top token {top} ends at {end}.",
  "why.dieTop": "The die fell at {die}, inside {token} ({low} to {high}). It is the top token.",
  "why.forced": "You took {token} by hand. No die was thrown.",
  "why.top": "{strategy} takes the top token, {token}. No die is thrown.",
  "why.other": "{strategy} takes {token}. No die is thrown.",
  "why.beams": "Beam search follows several texts at once. See them in {link}.",
  "step.draw": "Draw this token",
  "step.take": "Take this token",
  "step.run": "Run {n}",
  "step.pause": "Pause",
  "step.undo": "Undo",
  "step.surprise": "Surprise",
  "step.surpriseDoc": "Colour each token by its surprise",
  "step.where": "Step {n} of {n_of}: rank {n_rank}, {bits} bits",
  "step.rewind": "Rewind here",
  "step.fork": "Fork here",
  "step.back": "Back",

  // Settings
  "group.Shape": "Shape",
  "group.Cut": "Cut",
  "group.Repeat": "Repeat",
  "group.strategy": "Strategy",
  "group.end": "End of the text",
  "ctl.use": "Use {label}",
  "ctl.number": "{label}, number",
  "ctl.range": "{label} takes {range}.",
  "ctl.back": "Back to {value}",
  "ctl.valueOff": "{label} {value}, off",
  "ctl.ignored": "{strategy} throws no die, so this changes nothing.",
  "ctl.add": "Add a stage",
  "ctl.list": "One entry a line",
  "ctl.more": "More",
  "ctl.allOff": "Switch all off",
  "range.closed": "{min} to {max}",
  "range.inside": "more than {min} and less than {max}",
  "range.above": "more than {min}, up to {max}",
  "range.below": "{min} up to, but not, {max}",
  "range.atLeast": "{min} or more",
  "range.over": "more than {min}",
  off: "Off. Nothing changes.",
  "off.temperature": "Off. Same as 1.00.",
  "off.top_k": "Off. All tokens stay.",
  "off.top_p": "Off. Nothing is cut.",
  "off.min_p": "Off. Nothing is cut.",
  "off.repetition_penalty": "Off. Repeats cost nothing.",
  "off.no_repeat_ngram_size": "Off. Repeats allowed.",
  "now.temperature.zero": "Only the top token stays.",
  "now.temperature.low": "Sharper: the likely gain.",
  "now.temperature.high": "Flatter: the unlikely gain.",
  "now.temperature.one": "Changes nothing.",
  "now.repetition_penalty": "Used tokens: logit ÷ {value}.",
  "now.no_repeat_ngram_size": { one: "No token twice.", other: "No {n} tokens in a row twice." },
  "now.keeps": { one: "Keeps {n} of {n_of}.", other: "Keeps {n} of {n_of}." },
  "now.keepsAll": { one: "Keeps the one that is left.", other: "Keeps all {n}." },
  "now.cutsNone": "Cuts nothing here.",
  "order.title": "Order of the stages",
  "order.doc": "Each stage gets what the one above it left. Alt and an arrow key move a stage.",
  "order.up": "Move {label} up",
  "order.down": "Move {label} down",
  "order.remove": "Remove {label}",
  "limit.max_new_tokens": "New tokens, at most",
  "limit.eos": "End at the model’s end token",
  "limit.stop": "Stop at",
  "limit.stopDoc": "A text a line ends it there; \\n is a new line.",
  "limit.seed": "Seed",
  "limit.newSeed": "New seed",
  "limit.seedDoc": "Same seed, same text, on every machine.",
  "limit.seedIgnored": "{strategy} throws no die, so no seed is used.",
  "dock.name": "Setting on the slider",
  "dock.all": "All settings",
  "dock.off": "off",

  // The cascade
  "cascade.title": "Where the 100 % goes",
  "cascade.lead":
    "Each strip is the whole probability. Stages reshape it or cut it. The die lands on what is left.",
  "cascade.play": "Play stages",
  "cascade.stops": "Stage shown in the bars",
  "cascade.die": "The die at {share} picks {token}.",
  "cascade.noDie": "{token} is taken.",
  "stage.model": "Model",
  "stage.final": "final",
  "stage.off": "off",
  "stage.ignored": "not used",
  "stage.left": "{n} left, −{mass}",
  "stage.all": "{n} left",
  "stage.sharpened": "sharpened",
  "stage.flattened": "flattened",

  // Bars, table, numbers, curve
  "bars.title": "Next token",
  "bars.modes": "Show as",
  "bars.bars": "Bars",
  "bars.table": "Table",
  "bars.caption": "The likeliest next tokens, with the model’s probability and the final one",
  "bars.rank": "Rank",
  "bars.token": "Token",
  "bars.model": "Model",
  "bars.final": "Final",
  "bars.here": "Here",
  "bars.key.model": "model",
  "bars.key.final": "final",
  "bars.key.here": "here",
  "bars.take": "Take {token}",
  "bars.cut": "cut by {stage}",
  "bars.picked": "picked",
  "bars.taken": "taken",
  "bars.pickedBelow": "Picked: “{token}”, rank {n_rank}.",
  "bars.more": {
    one: "{n} more stays, {mass}.",
    other: "{n} more stay, {mass} together.",
  },
  "bars.moreCut": { one: "{n} more is cut.", other: "{n} more are cut." },
  "table.name": "Table of tokens, scrolls",
  "table.id": "Id",
  "table.logit": "Logit",
  "table.sum": "Sum",
  "table.fate": "Fate",
  "table.stays": "stays",
  "num.name": "Numbers of this step",
  "num.nucleus": "Nucleus",
  "num.mass": "Kept mass",
  "num.entropy": "Entropy",
  "num.choices": "Effective choices",
  "num.of": "of {n}",
  "num.modelMass": "model {mass}",
  "num.model": "model {value}",
  "curve.title": "Adding up from the top",
  "curve.into": "into top-p",
  "curve.line": "Top-p line",
  "curve.pOff": "p off",
  "curve.off": "off",
  "curve.keeps": { one: "p {p}, keeps {n} token", other: "p {p}, keeps {n} tokens" },
  "curve.crossing": "“{token}” crosses p, so it stays. Its sum: {share}.",
  "curve.drag": "Drag the p line down to cut the tail.",

  // Compare
  "compare.lead":
    "One prompt, one seed: the same throws of the die for everyone. The fork marks where a text parts from A.",
  "compare.classic": "The classic six",
  "compare.add": "Add a pane",
  "compare.run": "Run",
  "compare.again": "Run again",
  "compare.pause": "Pause",
  "compare.length": "Length",
  "compare.tokens": { one: "{n} token", other: "{n} tokens" },
  "compare.done": { one: "{n} text is ready.", other: "{n} texts are ready." },
  "preset.greedy": "Greedy",
  "preset.beam": "Beam search",
  "preset.pure": "Pure sampling",
  "preset.topk": "Top-k",
  "preset.topp": "Top-p",
  "preset.contrastive": "Contrastive",
  "preset.own": "Own settings",
  "pane.name": "Pane {letter}, {name}",
  "pane.decoder": "Decoder of pane {letter}",
  "pane.reference": "reference",
  "pane.edit": "Settings of pane {letter}",
  "pane.duplicate": "Duplicate pane {letter}",
  "pane.remove": "Remove pane {letter}",
  "pane.parts": "Here it parts from A",
  "pane.partsHere": "parts from A here",
  "pane.same": "same as A",
  "pane.entropy": "Entropy",
  "pane.nucleus": "Nucleus, p 0.90",
  "metrics.title": "Side by side",
  "metrics.caption": "Metrics by pane",
  "metrics.scroll": "Metrics, scrolls sideways",
  "metrics.decoder": "Decoder",
  "metrics.tokens": "Tokens",
  "metrics.mean_logprob": "Mean log-prob.",
  "metrics.perplexity": "Perplexity",
  "metrics.distinct_1": "Distinct-1",
  "metrics.distinct_2": "Distinct-2",
  "metrics.distinct_3": "Distinct-3",
  "metrics.repeated_4": "Repeated 4-grams",
  "metrics.mean_entropy": "Entropy, bits",
  "metrics.mean_nucleus": "Nucleus, p 0.90",
  "metrics.hint":
    "Bold: the best of its column. Higher log-probability is not better writing: greedy wins it by repeating itself.",

  // Beams
  "beams.lead":
    "Several texts grow at once. After each step only the best few go on; the others are cut.",
  "beams.beams": "Beams",
  "beams.steps": "Steps",
  "beams.penalty": "Length penalty",
  "beams.tree": "Beam tree",
  "beams.scroll": "Beam tree, scrolls sideways",
  "beams.tick": "step {n}",
  "beams.prompt": "prompt",
  "beams.kept": "kept",
  "beams.best": "best so far",
  "beams.pruned": "pruned, with its place",
  "beams.finished": "finished",
  "beams.live": "live",
  "beams.end": "end",
  "beams.legend": "Thickness: the token’s probability. Number: sum of log-probabilities.",
  "beams.node.live": "step {step}, kept, place {n}",
  "beams.node.pruned": "step {step}, pruned, place {n}",
  "beams.node.done": "step {step}, finished",
  "beams.why.live": "Kept: place {n}.",
  "beams.why.pruned": "Pruned.",
  "beams.why.done": "Finished.",
  "beams.list": "Texts by score",
  "beams.listDoc": "sum ÷ length to the power of the length penalty",

  // The model
  "model.title": "Model",
  "model.none": "No model",
  "model.hintReady": ", ready. Choose a model",
  "model.hintLoading": ", loading. Choose a model",
  "model.hintNone": ". Choose a model",
  "model.starting": "Starting.",
  "model.loading": "{loaded} of {total}, {share}.",
  "model.cancelHint": "Press to cancel.",
  "model.inUse": "In use. {layers} layers, reads {context} tokens.",
  "model.onDevice": "On this device.",
  "model.notYet": "Downloaded once, then kept on this device.",
  "model.forget": "Delete {name} from this device",
  "model.private": "Nothing you type leaves this page.",
  "model.kept": "Nothing you type leaves this page. Models are kept on this device: {bytes}.",
  "model.noList": "This site offers no model.",
  "model.listFailed": "The list of models could not be read: the host answered {status}.",

  // States
  "state.starting": "The engine is starting",
  "state.startingDoc": "It comes alive in a moment. You can edit nothing yet, and nothing is lost.",
  "state.loading": "Loading {name}",
  "state.loadingDoc": "{loaded} of {total}, part {part} of {parts}.",
  "state.cancel": "Cancel",
  "state.again": "Try again",
  "state.use": "Use {name}",
  "state.load": "Load {name} ({size})",
  "state.choose": "Choose a model",
  "state.chooseDoc":
    "Nothing is loaded. Your text and settings are kept. Nothing you type leaves this page.",
  "state.damaged": "{name} is damaged",
  "state.damagedDoc":
    "It was not taken, and nothing of it is kept: {message}. Your text and settings are safe.",
  "state.broke": "The connection broke at {share}",
  "state.unreachable": "The model could not be reached",
  "state.offline": "You are offline",
  "state.brokeDoc":
    "Your text and all finished parts are kept. Loading goes on where it stopped. ({message})",
  "state.unreachableDoc": "Your text and settings are kept. ({message})",
  "state.unsupported": "This browser cannot run the engine",
  "state.keptModel": "{name} could not be loaded: {message}. The model in use stays.",
  "state.crashed": "The engine stopped",
  "state.crashedDoc": "Your text and settings are safe. ({message})",
  "state.restart": "Start it again",
  "state.empty": "Type something",
  "state.emptyDoc": "A model needs at least one token to continue from.",
  "state.emptyUse": "Use “{prompt}”",
  "state.long": { one: "The prompt has {n} token", other: "The prompt has {n} tokens" },
  "state.longDoc": {
    one: "{model} reads at most {n}.",
    other: "{model} reads at most {n}. What you typed is kept; a shorter prompt works.",
  },
  "state.longCut": "Keep only its end",
  "state.full": { one: "The text has reached {n} token", other: "The text has reached {n} tokens" },
  "state.fullDoc": "{model} cannot look further back. Rewind, or start from a shorter prompt.",
  "state.fullRewind": { one: "Rewind {n} token", other: "Rewind {n} tokens" },
  "refused.value": "Not possible: {message}. The picture shows the last good settings.",
  "refused.internal": "A fault of the engine: {message}. Your text is safe.",
  "refused.link": "Left out of the link, because it is not known here or out of range: {what}.",

  // Lessons
  "lesson.lead":
    "Short lessons with five words on a board: guess first, then look, then try. No model is needed for most of them.",
  "lesson.tabs": "Parts of the lessons",
  "lesson.tab.lessons": "Lessons",
  "lesson.tab.guide": "Which strategy",
  "lesson.tab.beliefs": "Misconceptions",
  "lesson.tab.glossary": "Glossary",
  "lesson.contents": "Lessons",
  "lesson.all": "All lessons",
  "lesson.doneOf": "{n} of {n_of} done",
  "lesson.doneMark": ", done",
  "lesson.minutes": { one: "{n} minute", other: "{n} minutes" },
  "lesson.needs": "after",
  "lesson.state.done": "done",
  "lesson.state.begun": "begun",
  "lesson.progress": "{n_steps} of {n_all} steps seen, {n} of {n_of} tasks solved",
  "lesson.kicker": "Lesson {n} · {n_minutes} minutes",
  "lesson.stations": "Steps of this lesson",
  "lesson.kind.recall": "Recall",
  "lesson.kind.predict": "Guess",
  "lesson.kind.show": "Look",
  "lesson.kind.try": "Try",
  "lesson.kind.explain": "Read",
  "lesson.task": "Your task",
  "lesson.taskOf": "Task {n} of {n_of}",
  "lesson.end": "At the end",
  "lesson.figure": "Picture",
  "lesson.guess": "Guess first",
  "lesson.look": "See the answer",
  "lesson.skip": "Skip, just show it",
  "lesson.reveal": "Reveal",
  "lesson.gate": "The picture appears after your guess.",
  "lesson.right": "Right.",
  "lesson.wrong": "Not quite.",
  "lesson.rightIs": "Right is: {answer}.",
  "lesson.yours": "you",
  "lesson.truth": "true",
  "lesson.standing": "How it stands",
  "lesson.met": "met:",
  "lesson.unmet": "not met:",
  "lesson.now": "now {value}",
  "lesson.yes": "yes",
  "lesson.no": "no",
  "lesson.op.contains": "contains",
  "lesson.op.in": "is one of",
  "lesson.join.all": "All of:",
  "lesson.join.any": "One of:",
  "lesson.join.not": "Not:",
  "lesson.solved": "Solved.",
  "lesson.notYet": "Not yet.",
  "lesson.hint": "Hint",
  "lesson.nextHint": "Another hint",
  "lesson.restart": "Start again",
  "lesson.back": "Back",
  "lesson.next": "Next",
  "lesson.later": "Later",
  "lesson.finish": "To the end",
  "lesson.nextLesson": "Next: {title}",
  "lesson.present": "Present",
  "lesson.teacher": "For the teacher",
  "lesson.misconception": "A common belief",
  "lesson.references": "Further reading",
  "lesson.allDone": { one: "The task is solved.", other: "All {n} tasks are solved." },
  "lesson.someDone": "{n} of {n_of} tasks solved.",
  "lesson.anew": "Begin this lesson anew",
  "lesson.lookBack": "A look back",
  "lesson.otherQuestion": "Another question",
  "lesson.settings": "Settings",
  "lesson.allSettings": "All settings",
  "lesson.step": "Step",
  "lesson.tokenTitle": "{share}, {bits} bits",
  "lesson.textProb": "probability {prob}",
  "lesson.textBits": "{bits} bits a token",
  "lesson.loop": { one: "goes round: 1 token", other: "goes round: {n} tokens" },
  "lesson.over": "The search is over. Take a step back, or start again.",
  "lesson.parts": "Parts from {label} at token {n}.",
  "lesson.byStep": "Surprise by step, bits",
  "lesson.ownText": "A text of your own",
  "lesson.ownRead": "Colour it",
  "lesson.stops": "Stage on screen",
  "lesson.after": "After {stage}",
  "lesson.slip": { one: "The slip keeps {n}, {mass}", other: "The slip keeps {n}, {mass}" },
  "lesson.cut": "cut",
  "lesson.die": "The die",
  "lesson.dieSeed": "From the seed again",
  "lesson.dieAt": "the die at {share}",
  "lesson.dieHits": "Hits {token}, {low} to {high}.",
  "lesson.minpLine": "The line: min-p times the likeliest, {top}, is {share}.",
  "lesson.logits": "Logits and probabilities",
  "lesson.logitTrack": "Slider and share",
  "lesson.logitOf": "Logit of {token}",
  "lesson.shiftBy": "Amount",
  "lesson.shift": "All logits",
  "lesson.add": "Add",
  "lesson.subtract": "Take off",
  "lesson.resetLogits": "As they were",
  "lesson.surprises": "Surprise of each token",
  "lesson.bits": "Bits",
  "lesson.entropyLine": "The line is the entropy: {bits} bits of surprise to be expected.",
  "lesson.draws": "Draws against expectation",
  "lesson.draw": { one: "Draw {n}", other: "Draw {n}" },
  "lesson.drawClear": "Clear",
  "lesson.drawsNone": "Nothing is drawn yet.",
  "lesson.drawsMade": { one: "{n} draw.", other: "{n} draws." },
  "lesson.drawn": "Drawn",
  "lesson.share": "Share",
  "lesson.expected": "Expected",
  "lesson.giveOrTake": "{n} ± {n_error}",
  "lesson.drawKey": "Bar: drawn. Line: expected, and around it where 95 of 100 such results lie.",
  "lesson.greedyPath": "the way of greedy",
  "lesson.treeEmpty": "Press Step, and the tree grows by one token.",
  "lesson.score": "score {score}",
  "lesson.unknown": "There is no lesson {id} here.",
  "lesson.failed": "The lessons could not be read: {message}.",
  "lesson.guide.task": "You want",
  "lesson.guide.strategy": "Take",
  "lesson.guide.why": "Because",
  "lesson.guide.go": "Links",
  "lesson.guide.try": "Try it",
  "lesson.guide.lesson": "Lesson",
  "lesson.beliefs.lead":
    "What learners and programs get wrong about decoding. Guess what is true, then look.",
  "lesson.beliefs.truth": "What is true",
  "lesson.beliefs.seen": "Seen in:",
  "lesson.beliefs.lesson": "Lesson:",
  "lesson.glossary.find": "Find a term",
  "lesson.glossary.none": "No term has “{words}” in it.",
  "lesson.own.title": "Your own lessons",
  "lesson.own.forget": "Remove {title}",
  "lesson.file.title": "A lesson of your own",
  "lesson.file.doc":
    "Drop a lesson file here, or pick one. It stays on this device, it is checked first, and nothing in it can run.",
  "lesson.file.pick": "Pick a file",
  "lesson.file.refused": {
    one: "{name} was not taken: one thing is wrong.",
    other: "{name} was not taken: {n} things are wrong.",
  },
  "lesson.file.problem": "{where}: {wrong}. Wanted: {want}.",
  "lesson.file.whole": "the file",
  "lesson.file.large": "The file is larger than 1 MB. A lesson is a few kilobytes.",
  "lesson.file.taken": "id: “{id}” is one of the lessons that are here. Give it another id.",
  "lesson.file.ready": "{title} is here.",

  // Said aloud
  "voice.step": {
    one: "{n} token stays, {mass} of the model’s mass, {bits} bits.",
    other: "{n} tokens stay, {mass} of the model’s mass, {bits} bits.",
  },
  "voice.took": "Took {token}.",
  "voice.rewound": "Rewound.",
  "voice.forked": "New branch.",
};

const plurals = new Intl.PluralRules(language);
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const share = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** @param {string} name @param {unknown} v */
function say(name, v) {
  if (typeof v !== "number") return String(v);
  if (name === "mass" || name === "share") return `${share.format(100 * v)}\u00a0%`;
  return name === "n" || name.startsWith("n_") ? whole.format(v) : String(v);
}

/** @param {string} key @param {Record<string, unknown>} values */
function find(key, values) {
  const text = TEXTS[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  if (typeof text === "string") return text;
  const form = plurals.select(Number(values.n));
  return (form === "one" && text.one) || text.other;
}

/** Whether there is a text for key.
 * @param {string} key */
export const has = (key) => key in TEXTS;

/**
 * The text for key.
 *
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 */
export function t(key, values = {}) {
  return find(key, values).replace(/\{(\w+)\}/g, (_, name) => say(name, values[name]));
}

/**
 * The text for key in pieces, where values may be nodes.
 *
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {(string | Node)[]}
 */
export function rich(key, values = {}) {
  return find(key, values)
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (!name) return part;
      const v = values[name];
      return v instanceof Node ? v : say(name, v);
    });
}
