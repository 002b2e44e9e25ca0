// Lets the server start slow clients, and measures normal requests during that time.
const WARM_UP = 20; // requests before the first that counts: with them, a server that has just started loads and compiles its code
const TOP = 500; // milliseconds; the scale is always the same, so that two runs can be compared
const POINTS = 120; // thirty seconds, with a request each quarter of a second
const WIDTH = 1000;
const HEIGHT = 300;

const form = document.getElementById("form");
const startButton = document.getElementById("start");
const stopButton = document.getElementById("stop");
const state = document.getElementById("state");
const times = []; // { millis, slow }: the time of a normal request, and whether there were slow clients
let asking = false;
let warm = false;
let connected = 0;
let alone = 0; // the slowest request without slow clients
let beside = 0; // the slowest request beside slow clients

form.addEventListener("submit", (event) => {
  event.preventDefault();
  start(new URLSearchParams(new FormData(form)));
});
stopButton.addEventListener("click", () => fetch("slow-clients", { method: "DELETE" }).catch(unreachable));
startButton.disabled = true;
warmUp();

async function warmUp() {
  for (let sent = 0; sent < WARM_UP; ) {
    try {
      await (await fetch("hello", { cache: "no-store" })).text();
      sent++;
      state.textContent = `The page warms the server up: ${sent} of ${WARM_UP} requests, which do not count.`;
    } catch {
      unreachable();
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  state.textContent = "No slow client has been started.";
  warm = true;
  setInterval(ask, 250);
  setInterval(look, 1000);
  look();
}

async function start(parameters) {
  startButton.disabled = true;
  try {
    const answer = await fetch("slow-clients", {
      method: "POST",
      headers: { "X-Slow-Clients": "start" },
      body: parameters,
    });
    if (answer.status === 501) {
      state.textContent = "This server does not accept connections at its loopback address, so slow clients cannot be started.";
    } else {
      await look();
    }
  } catch {
    unreachable();
  }
}

/** Sends a normal request, unless the response of the last request is still missing. */
async function ask() {
  if (asking || document.hidden) {
    return;
  }
  asking = true;
  const begun = performance.now();
  try {
    await (await fetch("hello", { cache: "no-store" })).text();
    add(performance.now() - begun);
  } catch {
    unreachable();
  }
  asking = false;
}

function add(millis) {
  const slow = connected > 0;
  times.push({ millis, slow });
  times.splice(0, times.length - POINTS);
  alone = slow ? alone : Math.max(alone, millis);
  beside = slow ? Math.max(beside, millis) : beside;
  const shown = (value) => (value === 0 ? "–" : `${value.toFixed(0)} ms`);
  document.getElementById("now").textContent = shown(millis);
  document.getElementById("alone").textContent = shown(alone);
  document.getElementById("beside").textContent = shown(beside);
  draw(Math.max(...times.map((one) => one.millis)));
}

/** Draws the times. A request that took longer than the top of the scale is drawn at the top. */
function draw(slowest) {
  const x = (at) => ((WIDTH * (at + POINTS - times.length)) / (POINTS - 1)).toFixed(1);
  const y = (one) => (HEIGHT - 4 - ((HEIGHT - 8) * Math.min(one.millis, TOP)) / TOP).toFixed(1);
  document.getElementById("curve").setAttribute("d", "M" + times.map((one, at) => `${x(at)} ${y(one)}`).join("L"));
  const band = times.map((one, at) => (one.slow ? `M${x(at)} 0V${HEIGHT}` : "")).join("");
  document.getElementById("band").setAttribute("d", band);
  document
    .getElementById("plot")
    .setAttribute("aria-label", `Normal requests of the last half minute took at most ${slowest.toFixed(0)} ms`);
}

async function look() {
  try {
    const answer = await fetch("slow-clients", { cache: "no-store" });
    if (answer.ok) {
      show(await answer.json());
    }
  } catch {
    unreachable();
  }
}

function show(status) {
  connected = status.connected;
  document.getElementById("connected").textContent = status.connected;
  document.getElementById("busy").textContent = status.busy;
  startButton.disabled = status.state !== "ready" || !warm;
  stopButton.disabled = status.state !== "running";
  if (status.state === "running") {
    state.textContent = `${status.connected} slow clients hold a connection, for ${status.secondsLeft} s more.`;
  } else if (status.state === "resting") {
    state.textContent = `The slow clients have disconnected. You can start others in ${status.secondsLeft} s.`;
  } else if (times.some((one) => one.slow)) {
    state.textContent = "The slow clients have disconnected. You can start others.";
  }
}

function unreachable() {
  state.textContent = "The server does not answer.";
}
