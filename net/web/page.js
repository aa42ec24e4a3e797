// A seat at a network table in a browser: the frames of players/remote/wire.py, shown as text and answered by buttons.
// Nothing is fetched from elsewhere, and whatever was sent is put into the page as text only.
"use strict";

const $ = (id) => document.getElementById(id);
const FIRST_WAIT = 250, LONGEST_WAIT = 8000; // milliseconds between tries, doubling
const FINAL = ["over", "refused", "elsewhere", "flood", "stopped"];
const seat = { lang: "en", code: "", got: 0, socket: null, asked: null, picks: [], wait: FIRST_WAIT, clock: 0, retry: 0 };
let words = {};

function say(word, values = {}) {
  return words[seat.lang][word].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

// ---------------------------------------------------------------- storage, where the browser allows it

function kept(store, name, value) {
  try {
    if (value === null) store().removeItem(name);
    else if (value !== undefined) store().setItem(name, value);
    return store().getItem(name) || "";
  } catch {
    return value || "";
  }
}
const tab = (name, value) => kept(() => sessionStorage, name, value);
const browser = (name, value) => kept(() => localStorage, name, value);

// The secret to which a claim binds a seat: one for this browser, so that a closed tab can come back.
let ownKey = "";
function key() {
  ownKey = ownKey || browser("tianhei.key");
  if (!/^[\w-]{20,128}$/.test(ownKey)) {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    ownKey = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
    browser("tianhei.key", ownKey);
  }
  return ownKey;
}

// ---------------------------------------------------------------- the page

function node(tag, text, className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = className;
  return made;
}

function button(text, act, pressed) {
  const made = node("button", text);
  made.type = "button";
  if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
  made.addEventListener("click", act);
  return made;
}

function speak(lang) {
  seat.lang = lang;
  browser("tianhei.lang", lang);
  document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
  for (const each of document.querySelectorAll("[data-word]")) each.textContent = say(each.dataset.word);
  for (const each of document.querySelectorAll("[data-lang]")) each.setAttribute("aria-pressed", each.dataset.lang === lang);
}

function tell(text, className) {
  const log = $("log"), low = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  log.append(node("li", text, className));
  if (low) log.scrollTop = log.scrollHeight;
}

function status(text) { $("state").textContent = text; }
function seatWords(n) { return say("seat", { n }); }

function leave(why) {
  clearTimeout(seat.retry);
  seat.code = tab("tianhei.code", null);
  seat.socket = null;
  close();
  showOffers([]);
  status(say(why));
  if (why === "over") return;
  $("code").value = "";
  $("enter").hidden = false;
  $("table").hidden = why === "refused";
}

// ---------------------------------------------------------------- the question

const bits = (mask) => [...Array(48).keys()].filter((n) => Math.floor(mask / 2 ** n) % 2);

function close() {
  seat.asked = null;
  clearInterval(seat.clock);
  $("ask").hidden = true;
  $("bad").textContent = "";
}

function pose(frame) {
  close();
  Object.assign(seat, { asked: frame, picks: [] });
  $("title").textContent = frame.title;
  $("hint").textContent = frame.hint;
  $("text").value = "";
  $("speech").hidden = frame.ask.form !== "text";
  $("to").hidden = frame.ask.form !== "text" || !frame.ask.seats;
  const nobody = new Option(say("nobody"), "");
  $("whom").replaceChildren(nobody, ...bits(frame.ask.seats).map((n) => new Option(seatWords(n), String(n))));
  $("ask").hidden = false;
  drawChoices();
  count(frame.seconds);
  $("log").scrollTop = $("log").scrollHeight;
  if (frame.ask.form === "text") $("text").focus();
}

function count(seconds) {
  const until = performance.now() + (seconds || 0) * 1000;
  const draw = () => {
    const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
    $("left").textContent = seconds === null ? "" : say("left", { n: left });
  };
  draw();
  if (seconds !== null) seat.clock = setInterval(draw, 1000);
}

function drawChoices() {
  const { ask, options } = seat.asked, form = ask.form, made = [];
  if (form === "text") {
    made.push(button(say("say"), talk), button(say("silent"), () => answer(null)));
  } else if (form === "seats" || form === "names") {
    for (const [value, text] of options) {
      const one = button(text, () => pick(value), seat.picks.includes(value));
      one.disabled = !mayPick(ask, value);
      made.push(one);
    }
    const chosen = { n: seat.picks.length, least: ask.least, most: ask.most };
    const confirm = button(say("confirm-of", chosen), () => answer(seat.picks));
    confirm.disabled = chosen.n < ask.least || chosen.n > ask.most;
    made.push(confirm, button(say("clear"), () => { seat.picks = []; drawChoices(); }));
    if (ask.can_pass) made.push(button(say("pass"), () => answer(null)));
  } else {
    for (const [value, text] of options) made.push(button(text, () => answer(value)));
  }
  $("choices").replaceChildren(...made);
}

function mayPick(ask, value) {
  if (seat.picks.includes(value) && !ask.repeats) return true;
  if (seat.picks.length >= ask.most) return false;
  if (!ask.first) return true;
  return bits(ask.first).includes(value) === (seat.picks.length === 0);
}

function pick(value) {
  const at = seat.picks.indexOf(value);
  if (at >= 0 && !seat.asked.ask.repeats) seat.picks.splice(at, 1);
  else seat.picks.push(value);
  drawChoices();
}

function talk() {
  const text = $("text").value.trim(), to = $("whom").value;
  answer(to && !$("to").hidden ? { text, "question-to": Number(to) } : text || null);
}

function answer(value) {
  if (seat.asked === null) return;
  $("bad").textContent = "";
  for (const each of $("choices").children) each.disabled = true;
  send({ t: "answer", id: seat.asked.id, answer: value });
}

// ---------------------------------------------------------------- reactions: a first click arms, a second takes

function showOffers(offers) {
  const made = [];
  for (const { ask, title, options } of offers) {
    const listed = ask.form === "flag" ? [[true, title]] : options.map(([value, text]) => [value, `${title}: ${text}`]);
    for (const [value, text] of listed) {
      const one = button(text, () => {
        if (one.className !== "sure") {
          one.className = "sure";
          one.textContent = say("sure", { title: text });
          return;
        }
        send({ t: "react", kind: ask.kind, answer: value });
        one.className = "";
        one.textContent = text;
      });
      made.push(one);
    }
  }
  $("offers").replaceChildren(...made);
  $("reactions").hidden = made.length === 0;
}

// ---------------------------------------------------------------- the line

function send(frame) {
  if (seat.socket !== null && seat.socket.readyState === WebSocket.OPEN) seat.socket.send(JSON.stringify(frame));
}

function connect() {
  status(say("connecting"));
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/table`);
  seat.socket = socket;
  socket.addEventListener("open", () => {
    send({ t: "hello", v: 1, token: seat.code, key: key(), lang: seat.lang, got: seat.got });
  });
  socket.addEventListener("message", (message) => {
    if (seat.socket === socket) hear(JSON.parse(message.data));
  });
  socket.addEventListener("close", () => {
    if (seat.socket !== socket || !seat.code) return;
    close();
    showOffers([]);
    status(say("lost"));
    seat.retry = setTimeout(connect, seat.wait);
    seat.wait = Math.min(LONGEST_WAIT, seat.wait * 2);
  });
}

function hear(frame) {
  if (frame.t !== "bye") seat.wait = FIRST_WAIT;
  switch (frame.t) {
    case "waiting":
      status(say("waiting", { seat: seatWords(frame.seat) }));
      break;
    case "welcome":
      $("seat").textContent = say("place", { seat: seatWords(frame.seat), n: frame.size });
      status("");
      break;
    case "event":
      if (frame.n < seat.got) break;
      seat.got = frame.n + 1;
      if (frame.text) tell(frame.text, frame.private ? "private" : "");
      break;
    case "ask":
      pose(frame);
      break;
    case "offers":
      showOffers(frame.offers);
      break;
    case "closed":
      if (seat.asked !== null && seat.asked.id === frame.id) close();
      if (frame.why !== "answered") tell(say(frame.why === "gone" ? "gone" : "late"), "ours");
      break;
    case "bad":
      if (seat.asked !== null) drawChoices();
      $("bad").textContent = say("bad", { why: frame.why });
      break;
    case "bye":
      if (FINAL.includes(frame.why)) leave(frame.why);
      break;
  }
}

function sitDown(code) {
  Object.assign(seat, { code, got: 0, wait: FIRST_WAIT });
  $("log").replaceChildren();
  tab("tianhei.code", code);
  $("enter").hidden = true;
  $("table").hidden = false;
  connect();
}

async function begin() {
  words = await (await fetch("words.json")).json();
  const spoken = browser("tianhei.lang") || (navigator.language.startsWith("zh") ? "zh" : "en");
  speak(spoken in words ? spoken : "en");
  for (const each of document.querySelectorAll("[data-lang]")) each.addEventListener("click", () => speak(each.dataset.lang));
  $("enter").addEventListener("submit", (event) => {
    event.preventDefault();
    sitDown($("code").value.trim());
    $("code").value = "";
  });
  $("text").addEventListener("keydown", (event) => {
    // An input method takes Enter for itself while it composes.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      talk();
    }
  });
  if (tab("tianhei.code")) sitDown(tab("tianhei.code"));
}

begin();
