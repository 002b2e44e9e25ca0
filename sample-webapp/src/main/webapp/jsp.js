// Shows what the JSP writes, or says that no engine has written it.
const result = document.getElementById("result");
const state = document.getElementById("state");

document.getElementById("again").addEventListener("click", show);
show();

async function show() {
  state.textContent = "The page is asked for; the first time the server compiles it.";
  try {
    const answer = await fetch("times-table.jsp", { cache: "no-store" });
    if (answer.ok && answer.headers.get("X-Made-By") === "JSP") {
      result.innerHTML = await answer.text();
      state.textContent = "The page has come.";
    } else {
      state.textContent = `This server has no JSP engine: it answered ${answer.status}, and not with what the page writes.`;
    }
  } catch {
    state.textContent = "The server does not answer.";
  }
}
