// The functions that all pages share. All pages work without them.

// Shows the source of a file below its name when the reader opens it.
for (const details of document.querySelectorAll("details.source")) {
  details.addEventListener("toggle", () => showSource(details), { once: true });
}

async function showSource(details) {
  const answer = await fetch(details.dataset.source + "?bare");
  if (answer.ok) {
    details.insertAdjacentHTML("beforeend", await answer.text());
  }
}

// Shows the links to the flow board, the live page of Penstock, if the server has one. Only browsers on the server's machine can open it.
const boards = document.querySelectorAll("[data-board]");
if (boards.length > 0 && /^(localhost|127\.[0-9.]+|\[::1\])$/.test(location.hostname)) {
  showBoard();
}

async function showBoard() {
  const answer = await fetch("board", { cache: "no-store" });
  const { url } = answer.ok ? await answer.json() : { url: "" };
  if (!url) {
    return;
  }
  for (const board of boards) {
    board.hidden = false;
    board.querySelector("a").href = url;
  }
}

// Shows how long the servlet took to write this page, if the response has the header field Server-Timing.
const [page] = performance.getEntriesByType("navigation");
for (const timing of page?.serverTiming ?? []) {
  document.getElementById("timing").textContent = `The servlet took ${timing.duration.toFixed(1)} ms.`;
}
