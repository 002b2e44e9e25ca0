// Shows the links to the sample and to the flow board, if the sample is in service. The sample knows the address of the flow board. Only
// browsers on the server's machine can open the flow board.
const here = /^(localhost|127\.[0-9.]+|\[::1\])$/.test(location.hostname);
const answer = await fetch("../board", { cache: "no-store" });
if (answer.ok && answer.headers.get("Content-Type")?.startsWith("application/json")) {
  const { url } = await answer.json();
  document.querySelector("[data-sample]").hidden = false;
  if (url && here) {
    const board = document.querySelector("[data-board]");
    board.querySelector("a").href = url;
    board.hidden = false;
  }
}
