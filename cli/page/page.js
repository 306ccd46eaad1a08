"use strict";
(() => {
  const match = JSON.parse(document.getElementById("match").textContent);
  const { names, sides, hands, steps } = match;
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const UNIT = 10;
  // Where the pips of a half lie, in thirds from its middle, for a tile that stands.
  const PIPS = [
    [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]],
    [[-1, -1], [1, -1], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
    [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
  ];
  const narrow = matchMedia("(max-width: 45rem)");
  let at = 0;
  let timer = 0;

  function svg(name, attributes, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  // A tile in a box of so many units; pips are null for one that lies face down.
  function tile(x, y, stands, pips, className) {
    const [w, h] = stands ? [26, 48] : [48, 26];
    const [left, top] = stands ? [x + 2, y + 1] : [x + 1, y + 2];
    const group = svg("g", { class: className });
    group.append(svg("rect", { x: left, y: top, width: w, height: h, rx: 4, class: "wood" }));
    const middle = stands
      ? { x1: left + 4, x2: left + w - 4, y1: top + h / 2, y2: top + h / 2 }
      : { x1: left + w / 2, x2: left + w / 2, y1: top + 4, y2: top + h - 4 };
    group.append(svg("line", { ...middle, class: "bar" }));
    (pips || []).forEach((pip, half) => {
      const offset = half ? 36 : 12;
      const [cx, cy] = stands ? [left + 13, top + offset] : [left + offset, top + 13];
      for (const [across, along] of PIPS[pip]) {
        const [dx, dy] = stands ? [across, along] : [along, across];
        group.append(svg("circle", { cx: cx + 7 * dx, cy: cy + 7 * dy, r: 2.6, class: "pip" }));
      }
    });
    return group;
  }

  function drawLine(step) {
    const line = $("line");
    line.replaceChildren();
    line.setAttribute("aria-label", step.table.join(" ") || "No tiles yet.");
    if (step.hand < 0) return;
    const size = narrow.matches ? "narrow" : "wide";
    const drawing = hands[step.hand][size];
    const [width, height] = [drawing.width * UNIT, drawing.height * UNIT];
    line.setAttribute("viewBox", `0 0 ${width} ${height}`);
    // No smaller than can be read: a wide one is scrolled.
    line.style.minWidth = `${drawing.width * 6}px`;
    line.style.maxWidth = `${drawing.width * 14}px`;
    const board = $("board");
    board.classList.toggle("scrolled", drawing.width * 6 > board.clientWidth);
    drawing.tiles.slice(0, step.placed).forEach(([x, y, stands, first, second], number) => {
      const fresh = number === step.placed - 1 ? "tile fresh" : "tile";
      line.append(tile(x * UNIT, y * UNIT, stands, [first, second], fresh));
    });
    for (const [name, value, wide, small] of step.ends) {
      const [x, y, w, h] = (size === "wide" ? wide : small).map((one) => one * UNIT);
      const box = { x: x + w / 2 - 22, y: y + h / 2 - 11, width: 44, height: 22, rx: 11 };
      const stands = w < h;
      if (stands) Object.assign(box, { x: x + 1, width: w - 2 });
      const text = svg("text", {
        x: x + w / 2, y: y + h / 2 + 5, "text-anchor": "middle",
        ...(stands ? { textLength: 24, lengthAdjust: "spacingAndGlyphs" } : {}),
      }, `${name}:${value}`);
      line.append(svg("g", { class: "end" }, svg("rect", box), text));
    }
    if (!step.placed) {
      const middle = { x: width / 2, y: height / 2, "text-anchor": "middle", class: "none" };
      line.append(svg("text", middle, "The table is empty."));
    }
  }

  function heldTiles(step, seat) {
    const list = element("ul", undefined, "held");
    const tiles = step.held[seat];
    list.setAttribute("aria-label", `Tiles of ${names[seat]}`);
    const shown = tiles || Array.from({ length: step.counts[seat] || 0 }, () => null);
    for (const name of shown) {
      const pips = name && name.split("-").map(Number);
      const picture = svg("svg", {
        viewBox: "0 0 30 50", role: "img", "aria-label": name || "a tile that nobody has opened",
      });
      picture.append(tile(0, 0, true, pips, pips ? "tile" : "tile back"));
      const item = element("li");
      item.append(picture);
      list.append(item);
    }
    return list;
  }

  function drawSeats(step) {
    const items = names.map((name, seat) => {
      const item = element("li", undefined, step.turn === seat ? "turn" : "");
      const who = element("div", undefined, "who");
      const said = [];
      if (step.out.includes(seat)) said.push("out");
      else if (step.turn === seat) said.push("to move");
      if (sides[seat] === seat) said.push(`${step.scores[seat]} points`);
      else said.push(`with ${names[sides[seat]]}`);
      who.append(element("bdi", name), element("span", said.join(", ")));
      item.append(who, heldTiles(step, seat));
      return item;
    });
    $("seats").replaceChildren(...items);
  }

  function drawSum(step) {
    const counted = $("counted");
    counted.textContent = step.count === null ? "" : `The ends count ${step.count}.`;
    if (step.count === null) delete counted.dataset.count;
    else counted.dataset.count = step.count;
    const undealt = $("undealt");
    undealt.textContent = "";
    if (step.hand < 0) return;
    const bottom = hands[step.hand].boneyard;
    const left = step.undealt && bottom ? bottom.slice(-step.undealt).join(" ") : "";
    const what = match.draws ? "Boneyard" : "Not dealt";
    undealt.append(...unbroken(`${what}: ${step.undealt}${left ? ` (${left})` : ""}.`));
  }

  // Words in which no line ends within a tile.
  function unbroken(words) {
    return words.split(/(\b[0-6]-[0-6]\b)/)
      .map((part, at) => (at % 2 ? element("span", part, "name") : part));
  }

  function lineOf(words, now, kind = "li") {
    const item = element(kind, undefined, now ? "now" : "");
    item.append(...unbroken(words.trim()));
    if (words.startsWith("  ")) item.className = "beside";
    return item;
  }

  // Where the hand of a step was dealt: its words stand above one another.
  function dealOf(step) {
    let first = step;
    while (first > 0 && steps[first - 1].hand === steps[step].hand) first -= 1;
    return first;
  }

  // One step on adds lines, which a screen reader then reads; everything else writes them anew.
  function writeLog(before) {
    const log = $("log");
    const first = dealOf(at);
    if (before !== at - 1 || first === at) {
      const lines = first ? [] : match.before.map((words) => lineOf(words, false));
      for (let step = first; step < at; step += 1) {
        lines.push(...steps[step].words.map((words) => lineOf(words, false)));
      }
      log.replaceChildren(...lines);
    }
    log.querySelectorAll(".now").forEach((item) => item.classList.remove("now"));
    log.append(...steps[at].words.map((words) => lineOf(words, true)));
    log.scrollTop = log.scrollHeight;
  }

  function show(wanted) {
    const before = at;
    at = Math.max(0, Math.min(steps.length - 1, wanted));
    const step = steps[at];
    const hand = step.hand < 0 ? "" : `, hand ${hands[step.hand].number} of ${hands.length}`;
    $("where").textContent = `Step ${at} of ${steps.length - 1}${hand}`;
    $("slide").value = at;
    $("slide").setAttribute("aria-valuetext", $("where").textContent);
    drawLine(step);
    drawSum(step);
    drawSeats(step);
    // The log says the same to screen readers, and all that came before. Of a deal it is the first.
    const said = step.words.slice(0, 2).map((words) => lineOf(words, true, "p"));
    $("said").replaceChildren(...said);
    if (before !== at || !$("log").childElementCount) writeLog(before);
    if (at === steps.length - 1) run(false);
  }

  const deals = hands.map((_, hand) => steps.findIndex((step) => step.hand === hand));
  const nextHand = () => show(deals.find((deal) => deal > at) ?? steps.length - 1);
  const previousHand = () => show(deals.findLast((deal) => deal < at) ?? 0);

  function run(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => show(at + 1), Number($("pace").value)) : 0;
    $("run").setAttribute("aria-pressed", String(on));
    $("run").textContent = on ? "stop" : "play";
  }

  function toggle() {
    const on = !timer;
    if (on && at === steps.length - 1) show(0);
    run(on);
  }

  const stepped = (what) => () => { run(false); what(); };
  const acts = {
    " ": toggle,
    ArrowRight: stepped(() => show(at + 1)),
    Enter: stepped(() => show(at + 1)),
    ArrowLeft: stepped(() => show(at - 1)),
    ArrowDown: stepped(nextHand),
    ArrowUp: stepped(previousHand),
    Home: stepped(() => show(0)),
    End: stepped(() => show(steps.length - 1)),
    g: () => { $("to").focus(); $("to").select(); },
    "?": () => { $("help").open = !$("help").open; },
  };

  function jump() {
    const deal = deals[hands.findIndex((hand) => hand.number === Number($("to").value))];
    if (deal !== undefined) stepped(() => show(deal))();
  }

  // Keys of a field or button that has the focus are its own.
  function isOwn(event) {
    const { target, key } = event;
    if (target.closest("input, select")) return target.id !== "slide" || !"g ?".includes(key);
    if (target.closest("button, summary")) return key === " " || key === "Enter";
    return target.id === "log" && ["ArrowUp", "ArrowDown"].includes(key);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isOwn(event)) return;
    const act = acts[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  $("to").addEventListener("keydown", (event) => {
    if (event.key === "Enter") jump();
    if (event.key === "Enter" || event.key === "Escape") $("board").focus();
  });
  $("to").addEventListener("change", jump);
  $("pace").addEventListener("change", () => { if (timer) run(true); });
  $("slide").addEventListener("input", () => {
    const wanted = Number($("slide").value);
    stepped(() => show(wanted))();
  });
  const buttons = {
    first: "Home", "hand-back": "ArrowUp", back: "ArrowLeft", run: " ", on: "ArrowRight",
    "hand-on": "ArrowDown", last: "End",
  };
  for (const [id, key] of Object.entries(buttons)) $(id).addEventListener("click", acts[key]);

  let touched = null;
  $("board").addEventListener("pointerdown", (event) => { touched = event; });
  $("board").addEventListener("pointerup", (event) => {
    const across = touched ? event.clientX - touched.clientX : 0;
    if (event.pointerType !== "mouse" && Math.abs(across) > 40) {
      acts[across < 0 ? "ArrowRight" : "ArrowLeft"]();
    }
    touched = null;
  });
  narrow.addEventListener("change", () => drawLine(steps[at]));

  $("title").textContent = match.title;
  $("slide").max = steps.length - 1;
  $("to").max = hands.length ? hands[hands.length - 1].number : 1;
  $("play").hidden = $("told").hidden = false;
  show(0);
})();
