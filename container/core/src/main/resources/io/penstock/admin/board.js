"use strict";
/* The flow board. The server sends a stream of events. Each event has the whole state of the server, which the page draws.
   Text from clients is only inserted as text, never as markup. */

(() => {
  const MOMENTS = 120; // events of the last minute
  const SAY_AGAIN = 12_000; // milliseconds between two sentences for screen readers, while the tone is the same
  const LATE = 2_500; // milliseconds after which the page shows that its data is old
  const NOTICED = 50; // milliseconds; the table of workers omits shorter requests
  const SQUARES = 256; // squares in the picture of the workers, at most
  const HOLDERS = 8; // rows of the table of those that hold the workers
  const ROOM = 1.25; // the scale of a tank reaches at least this far beyond its highest figure, so that only a tank at its limit looks full
  const PLACES = 4; // links to applications beside the name of the page, at most
  const FAIR = 7; // one servlet or path gets a further worker while it has fewer than seven times those left
  const FAIR_FROM = 16; // workers from which this holds

  const $ = id => document.getElementById(id);
  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

  let source = null;
  let retry = 0;
  let held = false;
  let last = 0;
  let lastAt = 0;
  let restarted = "";
  let said = "";
  let saidAt = 0;
  let opened = 0;
  const minute = [];

  /** The words for the states of connections. */
  const STATES = {
    idle: "idle", head: "head arrives", body: "body arrives", storing: "goes to disk", queued: "in the queue", running: "with a worker",
    draining: "takes its answer", upgraded: "upgraded", closing: "closing",
  };

  // ---- the format of numbers

  const digits = (value, unit) => (value >= 10 || value === Math.round(value) ? whole.format(value) : value.toFixed(1)) + "\u00a0" + unit;
  /** A number below ten has one decimal, as in the sentence of the board. */
  const count = value => {
    const shown = Math.round(value * 10) / 10;
    return shown < 10 && shown !== Math.round(shown) ? shown.toFixed(1) : whole.format(Math.round(value));
  };

  /** A whole number with its noun: 1 request, 2 requests. */
  const counted = (value, noun) => whole.format(value) + " " + noun + (value === 1 ? "" : "s");

  function bytes(value) {
    const units = ["B", "KB", "MB", "GB", "TB"];
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return digits(unit === 0 ? Math.round(value) : value, units[unit]);
  }

  function micros(value) {
    if (value < 1) {
      return "< 1\u00a0\u00b5s";
    }
    if (value < 1_000) {
      return digits(value, "\u00b5s");
    }
    return value < 1_000_000 ? digits(value / 1_000, "ms") : seconds(value / 1_000_000);
  }

  function seconds(value) {
    if (value === 0) {
      return "< 1\u00a0s";
    }
    if (value < 120) {
      return digits(value, "s");
    }
    if (value < 7_200) {
      return digits(Math.floor(value / 60), "min");
    }
    return value < 172_800 ? digits(Math.floor(value / 3_600), "h") : digits(Math.floor(value / 86_400), "days");
  }

  const millis = value => value < 0.5 ? "< 1\u00a0ms" : value < 1_000 ? digits(Math.round(value), "ms") : seconds(value / 1_000);

  /** Fills a tank or a bar up to its share of the limit. Any value above zero is visible, at least as a thin line. */
  function fill(node, value, most) {
    set(node, "--full", (most > 0 ? Math.min(1, value / most) : 0).toFixed(6));
    node.classList.toggle("some", value > 0);
  }

  /** The place of a time in microseconds on the logarithmic ruler, from 10 us (0) to 100 s (1). */
  const onRuler = value => value <= 0 ? 0 : Math.max(0, Math.min(1, (Math.log10(value) - 1) / 7));

  // ---- parts of the page

  function text(node, value) {
    if (node.textContent !== value) {
      node.textContent = value;
    }
  }

  function set(node, name, value) {
    node.style.setProperty(name, String(value));
  }

  function element(name, className, content) {
    const made = document.createElement(name);
    if (className) {
      made.className = className;
    }
    if (content !== undefined) {
      made.textContent = content;
    }
    return made;
  }

  /** Makes the children of an element the same as the items, in the same order. Creates a child for each new item, and draws all children again. */
  function keep(parent, items, key, make, draw) {
    const known = new Map();
    for (const child of parent.children) {
      known.set(child.dataset.key, child);
    }
    let place = parent.firstElementChild;
    for (const item of items) {
      const name = String(key(item));
      let child = known.get(name);
      if (!child) {
        child = make(item);
        child.dataset.key = name;
      }
      known.delete(name);
      if (child === place) {
        place = place.nextElementSibling;
      } else {
        parent.insertBefore(child, place);
      }
      draw(child, item);
    }
    for (const child of known.values()) {
      child.remove();
    }
  }

  /** Sorts the items so that rows that already exist keep their places. Users cannot read rows that jump. */
  function inPlace(parent, items, key) {
    const before = [...parent.children].map(child => child.dataset.key);
    const rank = item => {
      const at = before.indexOf(String(key(item)));
      return at < 0 ? before.length : at;
    };
    return items.map((item, at) => ({ item, at })).sort((a, b) => rank(a.item) - rank(b.item) || a.at - b.at).map(one => one.item);
  }

  // ---- one event

  function draw(now) {
    document.body.classList.toggle("not-measured", now.pace.source === "none");
    text($("node"), now.node);
    text($("host"), location.hostname);
    text($("addresses"), now.addresses.join(", ") || "nothing yet");
    text($("version"), now.version);
    drawSentence(now.tone, now.toneWord, now.sentence, now.details);
    drawParts(now.tone, now.parts);
    remember(now);
    drawPlaces(now);
    drawLevels(now);
    drawFailures(now.failures);
    drawMinute();
    drawCrew(now.crew);
    drawHolders(now);
    drawPipes(now);
    drawWork(now.workers);
    drawTimes(now.pace.times);
    drawReserves(now.levels, now.bounds);
    drawBulkheads(now.bulkheads);
    drawWebSockets(now);
    drawStreamResets(now);
    drawApplications(now);
    drawCertificates(now.certificates);
    drawLog($("failures"), $("no-failures"), now.incidents.filter(one => one.ofApplication));
    drawLog($("refusals"), $("no-refusals"), now.incidents.filter(one => !one.ofApplication));
    text($("up"), seconds(Math.floor(now.upMillis / 1000)) + restarted);
    text($("seen"), clock.format(now.at));
  }

  /** Puts a no-break space between each figure and its unit. */
  const together = sentence => sentence.replace(/(\d) (?=[\u00b5m]?s\b|min\b|%|[KMG]?B\b)/g, "$1\u00a0");

  function drawSentence(tone, toneWord, sentence, details) {
    const node = $("node").textContent;
    $("sentence").dataset.tone = tone;
    text($("tone"), toneWord);
    text($("words"), together(sentence));
    keep($("details"), details.map((words, at) => ({ words, at })), one => one.at, () => element("li"), (line, one) => text(line, together(one.words)));
    document.title = (tone === "calm" ? "" : toneWord + " \u00b7 ") + (node ? node + " \u00b7 " : "") + "Flow board";
    say(toneWord, sentence);
  }

  /** Announces a new sentence to screen readers. A sentence in which only figures have changed is not new. */
  function say(toneWord, sentence) {
    const meaning = toneWord + sentence.replace(/[\d.,]+\s?(?:\u00b5s|ms|s|min)?/g, "#");
    const passed = Date.now() - saidAt;
    if (meaning !== said && (passed > SAY_AGAIN || (!said.startsWith(toneWord) && passed > 2_000))) {
      said = meaning;
      saidAt = Date.now();
      $("said").textContent = toneWord + ". " + sentence;
    }
  }

  /** Shows one line for each failed deployment, until a later deployment of the same path succeeds. */
  function drawFailures(failures) {
    keep($("failed"), failures, one => one.path, () => element("p"), (line, one) => text(line, one.path + " was not deployed at "
        + clock.format(one.at) + (one.formerServes ? ", its former version stays in service: " : " and is not in service: ") + one.reason));
  }

  /** Marks the parts of the page that show the cause of the sentence. */
  function drawParts(tone, parts) {
    for (const part of document.querySelectorAll("[data-part]")) {
      const marked = parts.includes(part.dataset.part);
      part.classList.toggle("marked", marked);
      part.dataset.tone = marked ? tone : "";
      part.querySelector(".here").hidden = !marked;
    }
  }

  function drawLevels(now) {
    const levels = now.levels;
    for (const node of document.querySelectorAll("[data-level]")) {
      text(node, whole.format(levels[node.dataset.level]));
    }
    for (const node of document.querySelectorAll("[data-bound]")) {
      text(node, whole.format(now.bounds[node.dataset.bound]));
    }
    for (const node of document.querySelectorAll("[data-pace]")) {
      text(node, count(now.pace[node.dataset.pace]));
    }
    for (const node of document.querySelectorAll("[data-lost]")) {
      text(node, whole.format(now.lost[node.dataset.lost]));
    }
    for (const node of document.querySelectorAll("[data-period]")) {
      text(node, "in the last " + now.lost.seconds + "\u00a0s");
    }
    const scales = {
      queue: scale(ROOM * peak("queued"), 10, now.bounds.queue),
      clients: scale(ROOM * peak("clients"), 50, now.bounds["max-connections"]),
    };
    for (const node of document.querySelectorAll("[data-scale]")) {
      text(node, whole.format(scales[node.dataset.scale]));
    }
    for (const node of document.querySelectorAll("[data-tank]")) {
      const level = levels[node.dataset.tank];
      fill(node, level, node.dataset.tank === "queued" ? scales.queue : scales.clients);
      text(node.lastElementChild, whole.format(level) + (node.dataset.name ? "\n" + node.dataset.name : ""));
    }
    for (const node of document.querySelectorAll("[data-flow]")) {
      const flow = now.pace[node.dataset.flow];
      node.classList.toggle("runs", flow > 0);
      if (flow > 0) {
        // The speed has only six steps. Each change of the speed makes the animation jump, so changes must be rare.
        set(node, "--turn", [3, 2, 1.2, 0.7, 0.4, 0.25][Math.min(5, Math.floor(Math.log10(1 + flow)))] + "s");
      }
    }
    document.querySelector("[data-tank=queued]").classList.toggle("over", levels["queued"] >= now.bounds["queue"] && levels["queued"] > 0);
    document.querySelector("[data-tank=connections]").classList.toggle("over", levels["connections"] >= now.bounds["max-connections"]);
    text($("clients-working"), whole.format(Math.max(0, levels["connections"] - levels["connections-idle"] - levels["connections-upgraded"])));
    text($("arriving"), whole.format(levels["connections-head"] + levels["connections-body"] + levels["connections-storing"]));
    text($("oldest"), levels["queued"] === 0 ? "\u2013" : millis(levels["queue-oldest"]));
    text($("received"), bytes(now.pace.received) + " received a second");
    text($("sent"), bytes(now.pace.sent) + " sent a second");
  }

  /** Keeps the figures of the last minute. */
  function remember(now) {
    const levels = now.levels;
    minute.push({
      rate: now.pace.requests, wait: levels["queued"] > 0 ? levels["queue-oldest"] : 0, lost: now.pace.refused, failed: now.pace.failed,
      queued: levels["queued"], clients: Math.max(levels["connections"], levels["connections-closing"]),
    });
    while (minute.length > MOMENTS) {
      minute.shift();
    }
  }

  /** The highest value of the last minute. */
  const peak = name => Math.max(...minute.map(one => one[name]));

  /** The end of a scale that fits the value: the next of 1, 2, 5, 10, 20 and so on above it. Only the limit itself fills the scale. */
  function scale(value, least, limit) {
    let end = least;
    while (end <= value) {
      end *= String(end).startsWith("2") ? 2.5 : 2;
    }
    return Math.min(end, limit);
  }

  function drawMinute() {
    // Answered, refused and failed requests have the same scale.
    const most = scale(Math.max(peak("rate"), peak("lost"), peak("failed")), 1, Infinity);
    const oldest = scale(peak("wait"), 100, Infinity);
    text($("y-rate"), whole.format(most) + "/s");
    text($("y-wait"), millis(oldest));
    const x = at => (600 * (at + MOMENTS - minute.length) / (MOMENTS - 1)).toFixed(1);
    const line = (value, top) => minute.map((one, at) => x(at) + " " + (62 - 60 * value(one) / top).toFixed(1)).join("L");
    $("m-rate").setAttribute("d", minute.some(one => one.rate > 0) ? "M" + x(0) + " 64L" + line(one => one.rate, most) + "L600 64Z" : "");
    $("m-wait").setAttribute("d", minute.some(one => one.wait > 0) ? "M" + line(one => one.wait, oldest) : "");
    $("m-lost").setAttribute("d", minute.map((one, at) => one.lost > 0 ? "M" + x(at) + " 0V" + Math.max(6, 60 * one.lost / most).toFixed(1) : "").join(""));
    $("m-fail").setAttribute("d", minute.map((one, at) => one.failed > 0 ? "M" + x(at) + " 64v-" + Math.max(6, 60 * one.failed / most).toFixed(1) : "").join(""));
    const peakRate = peak("rate");
    const peakWait = peak("wait");
    const peakLost = peak("lost");
    const peakFailed = peak("failed");
    // The page knows no more than it has seen.
    const span = minute.length < MOMENTS ? "Since this page was opened" : "The last minute";
    text($("p-span"), span + ":");
    text($("p-rate"), peakRate > 0 ? "at most " + count(peakRate) + " answered a second" : "no request answered");
    text($("p-wait"), peakWait > 0 ? "the oldest waited " + millis(peakWait) : "");
    text($("p-lost"), peakLost > 0 ? "at most " + count(peakLost) + " refused a second" : "");
    text($("p-fail"), peakFailed > 0 ? "at most " + count(peakFailed) + " failed a second" : "");
    $("minute").setAttribute("aria-label", span + ": at most " + count(peakRate) + " requests answered a second; the oldest in the queue waited "
        + (peakWait > 0 ? millis(peakWait) : "not at all") + "; refused: " + (peakLost > 0 ? "at most " + count(peakLost) + " a second" : "none")
        + "; failed: " + (peakFailed > 0 ? "at most " + count(peakFailed) + " a second" : "none"));
  }

  /**
   * Draws the workers as squares, sorted by what they do. If there are many, a square is several workers, and shows what the first of them does.
   */
  function drawCrew(crew) {
    const clients = crew.waits_for_bytes + crew.waits_for_room;
    const parts = [["busy", crew.busy], ["calls", crew.waits], ["wait", clients], ["idle", crew.idle], ["none", crew.most - crew.started]];
    for (const node of document.querySelectorAll("[data-crew]")) {
      text(node, whole.format(crew[node.dataset.crew]));
    }
    text($("crew-clients"), whole.format(clients));
    text($("crew-not-started"), whole.format(parts[4][1]));
    const square = crew.most <= SQUARES ? 1 : Math.ceil(crew.most / 200);
    text($("square"), "a square is " + (square === 1 ? "a worker" : whole.format(square) + " workers"));
    const squares = [];
    for (let at = 0, part = 0, end = parts[0][1]; at < crew.most; at += square) {
      while (at >= end) {
        part++;
        end += parts[part][1];
      }
      squares.push("cell " + parts[part][0]);
    }
    const cells = $("cells");
    set(cells, "--across", Math.max(4, Math.ceil(Math.sqrt(squares.length * 2.2))));
    cells.classList.toggle("many", squares.length > 100);
    while (cells.childElementCount > squares.length) {
      cells.lastChild.remove();
    }
    squares.forEach((name, at) => {
      const cell = cells.children[at] || cells.appendChild(element("span"));
      if (cell.className !== name) {
        cell.className = name;
      }
    });
  }

  /** Draws the servlets and paths that hold workers for long, or whose requests wait. */
  function drawHolders(now) {
    const shown = now.mappings.filter(one => one.waiting > 0 || one.longestMillis >= NOTICED);
    const most = now.crew.most;
    const fair = most < FAIR_FROM ? most : Math.ceil(most * FAIR / (FAIR + 1));
    const body = $("holders");
    const rows = shown.slice(0, HOLDERS);
    show(body, $("no-holders"), rows);
    $("fair").hidden = fair === most;
    text($("fair-most"), whole.format(fair));
    text($("more-holders"), shown.length > HOLDERS ? "And " + whole.format(shown.length - HOLDERS) + " more." : "");
    set(body, "--mark", fair / most);
    keep(body, inPlace(body, rows, one => one.name), one => one.name, () => row([["Servlet or path", "code"], ["Workers", "fair"], ["For up to", "num"],
      ["Waiting", "brass"], ["Oldest", "num"], ["Refused", "num"]]), (line, one) => {
      const cells = line.children;
      told(cells[0], one.name);
      meter(cells[1], one.running, most);
      text(cells[2], one.running > 0 ? millis(one.longestMillis) : "\u2013");
      meter(cells[3], one.waiting, now.bounds.queue);
      text(cells[4], one.waiting > 0 ? millis(one.oldestMillis) : "\u2013");
      text(cells[5], one.refused > 0 ? whole.format(one.refused) : "\u2013");
      cells[5].classList.toggle("lost", one.refused > 0);
    });
  }

  /** A number, with a bar that shows its share of the limit. */
  function meter(cell, value, most) {
    let inner = cell.firstElementChild;
    if (!inner) {
      inner = element("div", "meter");
      inner.append(element("b"), element("i"));
      inner.lastChild.setAttribute("aria-hidden", "true");
      cell.append(inner);
    }
    text(inner.firstChild, value > 0 ? whole.format(value) : "\u2013");
    fill(inner.lastChild, value, most);
  }

  /** Creates a row of a table. Each cell has the name of its column, since on a phone the row is a card without table headers. */
  function row(cells) {
    const made = element("tr");
    made.setAttribute("role", "row");
    for (const [label, className] of cells) {
      const cell = element("td", className);
      cell.setAttribute("role", "cell");
      cell.dataset.label = label;
      made.append(cell);
    }
    return made;
  }

  function told(cell, value) {
    text(cell, value);
    if (cell.title !== value) {
      // A narrow cell shows only a part of the text.
      cell.title = value;
    }
  }

  /** Shows the table, or a sentence if the table is empty. */
  function show(table, none, items) {
    table.closest(".scroll").hidden = items.length === 0;
    none.hidden = items.length > 0;
  }

  function tube(cell, memory, disk, capacity) {
    let inner = cell.firstElementChild;
    if (!inner) {
      inner = element("div", "tube");
      inner.append(element("i"), element("span"));
      inner.firstChild.setAttribute("aria-hidden", "true");
      cell.append(inner);
    }
    inner.classList.toggle("disk", disk > 0);
    inner.classList.toggle("empty", memory + disk === 0);
    cell.classList.toggle("void", memory + disk === 0);
    fill(inner.firstChild, memory, capacity);
    const little = memory * 100 < disk; // nearly all bytes are on disk
    text(inner.lastChild, memory + disk === 0 ? "\u2013" : bytes(memory + disk) + (disk === 0 ? "" : little ? "\u00a0disk" : ", part\u00a0disk"));
  }

  /** Returns the method and the path, without the name that the request has in the log. */
  const asked = request => request.replace(/^\S+ /, "") || "\u2013";

  function drawPipes(now) {
    const body = $("busiest");
    const most = now.bounds["pipe-capacity"];
    show(body, $("no-pipes"), now.busiest);
    text($("pipe-full"), bytes(most));
    keep(body, inPlace(body, now.busiest, one => one.id), one => one.id, () => row([["Client", "code"], ["State", ""], ["Asks for", "code"],
      ["Request held", ""], ["Answer held", ""], ["Connected", "num"]]), (line, one) => {
      const cells = line.children;
      told(cells[0], one.client.replace(/^\//, ""));
      text(cells[1], STATES[one.state] || one.state);
      cells[1].title = "waits for " + one.waitsFor;
      text(cells[2], asked(one.request));
      cells[2].title = one.request;
      tube(cells[3], one.requestInMemory, one.requestOnDisk, most);
      tube(cells[4], one.responseInMemory, one.responseInFiles, most);
      text(cells[5], millis(one.ageMillis));
    });
  }

  function drawWork(workers) {
    // Shorter requests would appear and disappear twice a second, and move the parts of the page below the table.
    const longest = workers.filter(worker => worker.doing !== "idle" && worker.millis >= NOTICED).sort((a, b) => b.millis - a.millis).slice(0, 10);
    const body = $("work");
    show(body, $("no-work"), longest);
    keep(body, inPlace(body, longest, worker => worker.name), worker => worker.name, () => row([["Worker", "code"], ["For", "num"], ["Does", ""],
      ["Request", "code"], ["Is in", "code"]]), (line, worker) => {
      const cells = line.children;
      text(cells[0], worker.name);
      text(cells[1], millis(worker.millis));
      text(cells[2], worker.words);
      told(cells[3], worker.job);
      told(cells[4], worker.place || "\u2013");
    });
  }

  const STAGES = [
    ["head", "Head arrives"], ["body", "Body arrives"], ["queue", "Waits for a worker"], ["service", "Is served"],
    ["drain", "Answer is taken"], ["total", "Total"],
  ];

  function drawTimes(times) {
    keep($("times"), STAGES, stage => stage[0], stage => {
      const line = row([["Stage", ""], ["Times", ""], ["p50", "num"], ["p99", "num"], ["max", "num"]]);
      const name = element("th", "", stage[1]);
      name.scope = "row";
      name.setAttribute("role", "rowheader");
      line.firstChild.replaceWith(name);
      const track = element("div", "track");
      track.append(element("i"));
      track.setAttribute("aria-hidden", "true");
      line.children[1].append(track);
      return line;
    }, (line, stage) => {
      const of = times[stage[0]];
      const cells = line.children;
      const track = cells[1].firstChild;
      const none = of.count === 0;
      track.classList.toggle("empty", none);
      set(track, "--half", onRuler(of.halfMicros).toFixed(4));
      set(track, "--most", onRuler(of.ninetyNineMicros).toFixed(4));
      set(track, "--long", onRuler(of.longestMicros).toFixed(4));
      text(cells[2], none ? "\u2013" : micros(of.halfMicros));
      text(cells[3], none ? "\u2013" : micros(of.ninetyNineMicros));
      text(cells[4], none ? "\u2013" : micros(of.longestMicros));
    });
  }

  function drawReserves(levels, bounds) {
    const reserves = [
      ["Memory of pipes", levels["pipe-bytes"], levels["pipe-budget"], bytes,
        levels["bodies-starving"] > 0 ? counted(levels["bodies-starving"], "client") + " not read until some is free" : ""],
      ["Heads of requests", levels["head-bytes"], levels["head-budget"], bytes, ""],
      ["Parameters, parts, cookies", levels["parsed-bytes"], levels["parsed-budget"], bytes, ""],
      ["Disk (spool)", levels["spool-bytes"], levels["spool-limit"], bytes,
        counted(levels["spool-files-open"], "file") + (levels["spool-pending"] > 0 ? ", " + counted(levels["spool-pending"], "write") + " pending" : "")],
      ["Connections", levels["connections"], bounds["max-connections"], whole.format, ""],
      ["Requests in the queue", levels["queued"], bounds["queue"], whole.format, ""],
      ["Workers that stream", levels["workers-streaming"], bounds["max-streaming"], whole.format, ""],
      ["Workers that wait for the disk", levels["workers-spooling"], bounds["max-spooling"], whole.format, ""],
    ];
    keep($("reserves"), reserves, one => one[0], one => {
      const made = element("div", "reserve");
      const value = element("dd");
      const bar = element("span", "bar");
      bar.setAttribute("aria-hidden", "true");
      const words = element("span");
      words.append(element("b"), document.createTextNode(""));
      value.append(bar, words);
      made.append(element("dt", "", one[0]), value);
      return made;
    }, (made, one) => {
      const full = one[2] > 0 ? Math.min(1, one[1] / one[2]) : 0;
      const [bar, words] = made.lastChild.children;
      fill(bar, one[1], one[2]);
      bar.classList.toggle("near", full >= 0.9);
      text(words.firstChild, one[3](one[1]));
      const rest = " of " + one[3](one[2]) + (full >= 0.9 ? ", nearly used up" : "") + (one[4] ? "; " + one[4] : "");
      if (words.lastChild.data !== rest) {
        words.lastChild.data = rest;
      }
    });
  }

  /** Draws a bar for each limit of a bulkhead, and the number of refused requests. */
  function drawBulkheads(bulkheads) {
    $("bulkheads").hidden = bulkheads.length === 0;
    keep($("bulkhead-list"), bulkheads, one => one.path, one => {
      const made = element("div", "reserve");
      made.append(element("dt", "", one.path), element("dd"));
      return made;
    }, (made, one) => {
      const shares = [];
      if (one.maxWorkers > 0) {
        shares.push(["workers", one.running, one.maxWorkers, "workers", ""]);
        shares.push(["waiting", one.queued, one.maxQueued, one.queued === 1 ? "waits" : "wait",
          one.refused > 0 ? whole.format(one.refused) + " refused since start" : ""]);
      }
      if (one.maxSpoolWrites > 0) {
        shares.push(["writes", one.spoolWrites, one.maxSpoolWrites, "writes to disk", ""]);
      }
      keep(made.lastChild, shares, share => share[0], () => {
        const part = element("span", "part");
        const bar = element("span", "bar");
        bar.setAttribute("aria-hidden", "true");
        const words = element("span");
        words.append(element("b"), document.createTextNode(""));
        part.append(bar, words);
        return part;
      }, (part, share) => {
        const [bar, words] = part.children;
        const full = share[2] > 0 ? Math.min(1, share[1] / share[2]) : 0;
        fill(bar, share[1], share[2]);
        bar.classList.toggle("full", full >= 1);
        text(words.firstChild, whole.format(share[1]));
        const rest = " of " + whole.format(share[2]) + " " + share[3] + (share[4] ? "; " + share[4] : "");
        if (words.lastChild.data !== rest) {
          words.lastChild.data = rest;
        }
      });
    });
  }

  function drawWebSockets(now) {
    $("web-sockets").hidden = now.levels["websocket-sessions"] === 0;
    const body = $("slow-web-sockets");
    show(body, $("no-slow-web-sockets"), now.slowWebSockets);
    keep(body, now.slowWebSockets.map((one, at) => ({ one, at })), row => row.at, () => row([["Endpoint", "code"], ["Address", "code"], ["Waiting for it", "num"]]),
      (line, { one }) => {
        const cells = line.children;
        told(cells[0], one.endpoint);
        told(cells[1], one.address || "\u2013");
        text(cells[2], bytes(one.queuedBytes));
      });
  }

  /** Draws the number of reset streams for each cause. */
  function drawStreamResets(now) {
    $("stream-resets").hidden = now.streamResets.length === 0 && now.floodPauses === 0;
    text($("flood-pauses"), whole.format(now.floodPauses));
    keep($("stream-reset-list"), now.streamResets, one => one.cause, one => {
      const made = element("li");
      made.append(element("code", "", one.cause), element("span", "name", one.meaning), element("span", "count"));
      return made;
    }, (made, one) => text(made.lastChild, whole.format(one.count)));
  }

  /** The address at which a browser reaches an application; empty if the server listens at no network address. */
  function addressOf(now, path) {
    for (const address of now.addresses) {
      const [, host, port] = /^(.*):(\d+)$/.exec(address) || [];
      if (port) {
        // A browser at another machine reaches the listeners of all addresses under the name under which it reaches the board.
        const name = host === "*" || /^(127\.|\[::1\])/.test(host) ? location.hostname : host;
        return (now.secure.includes(address) ? "https://" : "http://") + name + ":" + port + (path.endsWith("/") ? path : path + "/");
      }
    }
    return "";
  }

  /** Makes the link lead to the application. Without an address it is only a text. */
  function lead(link, now, path) {
    const address = addressOf(now, path);
    if (address && link.getAttribute("href") !== address) {
      link.href = address;
    }
  }

  /** Draws the links to the applications, if they are few, beside the name of this page. A list below has all. */
  function drawPlaces(now) {
    const few = now.applicationsInAll <= PLACES ? [...now.applications].sort((a, b) => a.path < b.path ? -1 : 1) : [];
    keep($("places"), [...few, { path: "", name: "Flow board" }], one => one.path, () => {
      const made = element("li");
      made.append(element("a"));
      return made;
    }, (made, one) => {
      const link = made.firstChild;
      text(link, one.name || one.path);
      if (one.path) {
        lead(link, now, one.path);
      } else {
        link.href = "./";
        link.setAttribute("aria-current", "true");
      }
    });
  }

  /** Draws the applications. The busiest application is the first. */
  function drawApplications(now) {
    $("no-applications").hidden = now.applications.length > 0;
    const list = $("applications");
    keep(list, inPlace(list, now.applications, one => one.path), one => one.path, () => {
      const made = element("li");
      const link = element("a");
      link.append(element("code"));
      made.append(link, element("span", "name"), element("span", "count"));
      return made;
    }, (made, one) => {
      lead(made.firstChild, now, one.path);
      text(made.firstChild.firstChild, one.path);
      text(made.children[1], one.name);
      text(made.children[2], (one.failed > 0 ? whole.format(one.failed) + " failed in the last " + now.lost.seconds + "\u00a0s, " : "")
          + (one.requests === 0 ? "no request now" : counted(one.requests, "request") + " now"));
      made.classList.toggle("busy", one.requests > 0);
      made.classList.toggle("over", one.failed > 0);
    });
    const more = now.applicationsInAll - now.applications.length;
    $("more-applications").hidden = more <= 0;
    text($("more-applications"), "and " + whole.format(more) + " more with fewer requests");
  }

  const SOON = 14; // days before the end of a certificate
  const VERY_SOON = 3;

  /** Draws the certificates in the order in which they expire. */
  function drawCertificates(certificates) {
    $("certificates").hidden = certificates.length === 0;
    keep($("certificate-list"), certificates, one => one.names + one.expires, () => {
      const made = element("li");
      made.append(element("code"), element("span", "count"));
      return made;
    }, (made, one) => {
      text(made.children[0], one.names);
      const left = one.daysLeft;
      text(made.children[1], left < 0 ? "has expired" : left === 0 ? "expires within a day" : whole.format(left) + (left === 1 ? " day left" : " days left"));
      made.classList.toggle("soon", left >= VERY_SOON && left < SOON);
      made.classList.toggle("over", left < VERY_SOON);
    });
  }

  function drawLog(list, none, incidents) {
    none.hidden = incidents.length > 0;
    keep(list, incidents, one => one.number, one => {
      const made = element("li");
      made.append(element("time"), element("span", one.status ? "badge" : "badge gone", one.status || "lost"),
          element("span"));
      made.lastChild.append(one.words + ", ", element("b"));
      return made;
    }, (made, one) => {
      const when = made.firstChild;
      when.dateTime = new Date(one.last).toISOString();
      text(when, clock.format(one.last));
      // In these two cases each refusal ends a connection, so the figure is a number of clients. Other refusals can occur several times on one connection.
      const noun = one.status === 0 || one.status === 408 ? "client" : "request";
      // The server sends an event every half second, so half a second is added.
      text(made.lastChild.lastChild, counted(one.times, noun) + " in " + seconds(Math.ceil((one.last - one.first + 500) / 1_000)));
    });
  }

  // ---- the stream

  function open() {
    close();
    opened = Date.now();
    source = new EventSource("events");
    source.onmessage = event => {
      retry = 0;
      last = Date.now();
      const now = JSON.parse(event.data);
      if (lastAt > 0 && now.upMillis < now.at - lastAt) {
        // The server was restarted after the last event. The curves of the former process are removed.
        minute.length = 0;
        restarted = ", restarted";
      }
      lastAt = now.at;
      if (!held) {
        document.body.classList.remove("stale");
        draw(now);
      }
    };
    source.onerror = () => {
      // If the server has refused the stream, the browser does not connect again by itself.
      if (source && source.readyState === EventSource.CLOSED) {
        retry = Math.min(30_000, 2 * retry || 2_000);
        close();
        setTimeout(() => document.hidden || source || open(), retry);
        drawSilence("The server refuses to send its state to this page.",
            ["Possible causes: too many flow boards are open (admin-listeners), or the admin token is missing."]);
      }
    };
  }

  function close() {
    if (source) {
      source.close();
      source = null;
    }
  }

  /** Shows that the server does not answer, and that the figures on the page are old. */
  function drawSilence(why, details) {
    if (!held) {
      document.body.classList.add("stale");
      drawSentence("gone", "No answer", why, details);
      drawParts("", []);
      text($("seen"), last ? clock.format(last) + ", no news since" : "not yet");
    }
  }

  // A hidden page closes its stream. The number of streams is limited (admin-listeners), and visible pages need them.
  document.addEventListener("visibilitychange", () => document.hidden ? close() : open());

  $("pause").addEventListener("click", () => {
    held = !held;
    document.body.classList.toggle("held", held);
    $("pause").setAttribute("aria-pressed", String(held));
    text($("seen"), $("seen").textContent + (held ? ", paused" : ""));
  });

  setInterval(() => {
    // A refused stream has its own message (onerror).
    if (source && source.readyState !== EventSource.CLOSED && Date.now() - Math.max(last, opened) > LATE) {
      drawSilence("The server has not answered " + (last ? "since " + clock.format(last) : "yet") + ".",
          [...(last ? ["The figures below are from that time."] : []), "The page goes on as soon as the server answers."]);
    }
  }, 1_000);

  open();
})();
