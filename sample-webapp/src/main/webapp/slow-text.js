// Reads the long text, and shows each piece when it arrives.
const form = document.getElementById("form");
const startButton = document.getElementById("start");
const stopButton = document.getElementById("stop");
const progress = document.getElementById("progress");
const state = document.getElementById("state");
const text = document.getElementById("text");
let reading;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  receive(new URLSearchParams(new FormData(form)));
});
stopButton.addEventListener("click", () => reading.abort());

async function receive(parameters) {
  reading = new AbortController();
  setRunning(true);
  text.textContent = "";
  progress.value = 0;
  progress.max = Number(parameters.get("paragraphs"));
  const start = performance.now();
  let bytes = 0;
  let outcome = "Complete";
  try {
    const answer = await fetch("slow-text?" + parameters, { signal: reading.signal });
    const decoder = new TextDecoder();
    const body = answer.body.getReader();
    for (let piece = await body.read(); !piece.done; piece = await body.read()) {
      bytes += piece.value.length;
      append(decoder.decode(piece.value, { stream: true }));
      report("Receiving", bytes, start);
    }
  } catch (problem) {
    outcome = problem.name === "AbortError" ? "Stopped" : "Interrupted";
  }
  report(outcome, bytes, start);
  setRunning(false);
}

function append(piece) {
  text.append(piece);
  text.scrollTop = text.scrollHeight;
  progress.value += piece.split("\n\n").length - 1;
}

function report(what, bytes, start) {
  const seconds = (performance.now() - start) / 1000;
  state.textContent = `${what}: ${(bytes / 1000).toFixed(1)} kB in ${seconds.toFixed(1)} s`;
}

function setRunning(running) {
  startButton.disabled = running;
  stopButton.disabled = !running;
}
