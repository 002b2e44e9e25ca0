// The functions that all pages share. All pages work without them.

// Shows a source file below its name when the user opens it.
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
if (/^(localhost|127\.[0-9.]+|\[::1\])$/.test(location.hostname)) {
  showBoard();
}
showChat();

async function showBoard() {
  const answer = await fetch(new URL("board", import.meta.url), { cache: "no-store" });
  const { url } = answer.ok ? await answer.json() : { url: "" };
  if (url) {
    show("[data-board]", url);
  }
}

// Shows the links to the chat, a separate application, if it is in service. A window looks only once.
async function showChat() {
  const chat = new URL("../chat/", import.meta.url);
  let found = sessionStorage.getItem("chat");
  if (found === null) {
    const answer = await fetch(chat, { method: "HEAD", cache: "no-store" });
    found = answer.ok ? "yes" : "no";
    sessionStorage.setItem("chat", found);
  }
  if (found === "yes") {
    show("[data-chat]", chat);
  }
}

function show(places, url) {
  for (const place of document.querySelectorAll(places)) {
    place.hidden = false;
    place.querySelector("a").href = url;
  }
}

// Shows the time in which the servlet wrote this page, if the response has the header field Server-Timing.
const [page] = performance.getEntriesByType("navigation");
for (const timing of page?.serverTiming ?? []) {
  document.getElementById("timing").textContent = `The servlet took ${timing.duration.toFixed(1)} ms.`;
}
