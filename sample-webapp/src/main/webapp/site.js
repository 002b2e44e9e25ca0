// What every page can do. All pages work without it.

// Shows a source below its name, as soon as somebody opens it.
for (const details of document.querySelectorAll("details.source")) {
  details.addEventListener("toggle", () => showSource(details), { once: true });
}

async function showSource(details) {
  const answer = await fetch(details.dataset.source + "?bare");
  if (answer.ok) {
    details.insertAdjacentHTML("beforeend", await answer.text());
  }
}

// Tells how long the servlet took to write this page, if the header field Server-Timing says so.
const [page] = performance.getEntriesByType("navigation");
for (const timing of page?.serverTiming ?? []) {
  document.getElementById("timing").textContent = `The servlet took ${timing.duration.toFixed(1)} ms.`;
}
