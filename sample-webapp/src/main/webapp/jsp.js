// Shows the output of the JSP, or reports that the server has no JSP engine.
const result = document.getElementById("result");
const state = document.getElementById("state");

document.getElementById("again").addEventListener("click", show);
show();

async function show() {
  state.textContent = "Requesting the page. At the first request the server compiles it.";
  try {
    const answer = await fetch("times-table.jsp", { cache: "no-store" });
    if (answer.ok && answer.headers.get("X-Made-By") === "JSP") {
      result.innerHTML = await answer.text();
      state.textContent = "The page has arrived.";
    } else {
      state.textContent = `This server has no JSP engine: it answered with status ${answer.status}, and not with the output of the page.`;
    }
  } catch {
    state.textContent = "The server does not answer.";
  }
}
