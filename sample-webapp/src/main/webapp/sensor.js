// Draws a block of floats as a curve. The user can send the same block back.
const WIDTH = 1000;
const HEIGHT = 300;
const MARGIN = 4;

const form = document.getElementById("form");
const sendButton = document.getElementById("send");
const state = document.getElementById("state");
let series = new Float32Array();
let seed = 1;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  seed = Math.floor(Math.random() * 1e6);
  measure();
});
sendButton.addEventListener("click", sendBack);
measure();

async function measure() {
  const answer = await fetch(`sensor?count=${form.elements.count.value}&seed=${seed}`);
  if (!answer.ok) {
    state.textContent = `The server refused the request: status ${answer.status}`;
    return;
  }
  series = new Float32Array(await answer.arrayBuffer());
  const known = describe(series);
  draw(known);
  fill("browser", known);
  clear("server");
  state.textContent = `${series.length} floats, ${series.byteLength} bytes received.`;
  sendButton.disabled = false;
}

async function sendBack() {
  const answer = await fetch("sensor", {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: series,
  });
  if (answer.ok) {
    fill("server", await answer.json());
    state.textContent = `${series.byteLength} bytes sent back.`;
  } else {
    state.textContent = `The server refused the request: status ${answer.status}`;
  }
}

function describe(numbers) {
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  for (const number of numbers) {
    min = Math.min(min, number);
    max = Math.max(max, number);
    sum += number;
  }
  return { count: numbers.length, min, max, mean: sum / numbers.length };
}

function draw({ min, max }) {
  const across = WIDTH / (series.length - 1);
  const up = (HEIGHT - 2 * MARGIN) / (max - min || 1);
  let path = "";
  series.forEach((value, i) => {
    path += `${i === 0 ? "M" : "L"}${(i * across).toFixed(2)} ${(HEIGHT - MARGIN - (value - min) * up).toFixed(2)}`;
  });
  document.getElementById("curve").setAttribute("d", path);
  document.getElementById("highest").textContent = `${max.toFixed(1)} °C`;
  document.getElementById("lowest").textContent = `${min.toFixed(1)} °C`;
  document.getElementById("last").textContent = `${series.length}`;
  const range = `${min.toFixed(1)} to ${max.toFixed(1)} °C`;
  document.getElementById("range").textContent = range;
  document.getElementById("plot").setAttribute("aria-label", `Curve of ${series.length} readings from ${range}`);
}

function fill(row, { count, min, max, mean }) {
  const cells = document.getElementById(row).querySelectorAll("td");
  [count, min.toFixed(2), max.toFixed(2), mean.toFixed(2)].forEach((text, i) => (cells[i].textContent = text));
}

function clear(row) {
  document.getElementById(row).querySelectorAll("td").forEach((cell) => (cell.textContent = "–"));
}
