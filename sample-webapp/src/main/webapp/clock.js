// Shows the clock of the server while its stream of events is open.
const time = document.getElementById("time");
const state = document.getElementById("state");
const watchers = document.getElementById("watchers");
const toggle = document.getElementById("toggle");
let events;

toggle.addEventListener("click", () => (events ? stop() : start()));
start();

function start() {
  events = new EventSource("clock");
  events.addEventListener("tick", show);
  events.addEventListener("open", () => (state.textContent = "Connected."));
  events.addEventListener("error", () => (state.textContent = "Interrupted, connecting again…"));
  toggle.textContent = "Stop";
}

function stop() {
  events.close();
  events = undefined;
  state.textContent = "Stopped.";
  watchers.textContent = "";
  toggle.textContent = "Go on";
}

function show(event) {
  const tick = JSON.parse(event.data);
  time.dateTime = tick.time;
  time.textContent = new Date(tick.time).toLocaleTimeString();
  watchers.textContent = tick.watchers === 1 ? "You are the only one watching." : `${tick.watchers} are watching.`;
}
