// Shows whether the chat, a separate application, is in service.
const link = document.getElementById("chat");
const state = document.getElementById("state");

look();

async function look() {
  try {
    const answer = await fetch(link.href, { method: "HEAD", cache: "no-store" });
    link.hidden = !answer.ok;
    document.getElementById("to-start").hidden = answer.ok;
    state.textContent = answer.ok
      ? "The chat is in service here. Open it in two windows."
      : "The chat is not in service here.";
  } catch {
    state.textContent = "The server does not answer.";
  }
}
