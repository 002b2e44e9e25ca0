// Starts slow clients against the server, and measures normal requests meanwhile.
const POINTS = 120; // one point every 250 ms, so the chart shows 30 seconds
const WIDTH = 1000;
const HEIGHT = 300;

const form = document.getElementById("form");
const startButton = document.getElementById("start");
const stopButton = document.getElementById("stop");
const state = document.getElementById("state");
const times = []; // { millis, slow }: how long a normal request took, and whether there were slow clients
let asking = false;
let connected = 0;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  start(new URLSearchParams(new FormData(form)));
});
stopButton.addEventListener("click", () => fetch("slow-clients", { method: "DELETE" }).catch(unreachable));
setInterval(ask, 250);
setInterval(look, 1000);
look();

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

/** Sends one normal request; the next one is sent after its response. */
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
  times.push({ millis, slow: connected > 0 });
  times.splice(0, times.length - POINTS);
  const slowest = Math.max(...times.map((one) => one.millis));
  document.getElementById("now").textContent = `${millis.toFixed(0)} ms`;
  document.getElementById("slowest").textContent = `${slowest.toFixed(0)} ms`;
  draw(slowest);
}

function draw(slowest) {
  const top = Math.max(100, slowest);
  document.getElementById("top").textContent = `${top.toFixed(0)} ms`;
  const x = (at) => ((WIDTH * (at + POINTS - times.length)) / (POINTS - 1)).toFixed(1);
  const y = (one) => (HEIGHT - 4 - ((HEIGHT - 8) * one.millis) / top).toFixed(1);
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
  startButton.disabled = status.state !== "ready";
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
