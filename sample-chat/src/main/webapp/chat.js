// The client of the chat. If the connection ends, the page connects again after a pause. Each further pause is longer.
const MOST_MESSAGES = 200;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

const form = document.getElementById("form");
const send = document.getElementById("send");
const state = document.getElementById("state");
const messages = document.getElementById("messages");
let socket;
let me = "";
let wait = FIRST_WAIT;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  socket.send(form.elements.text.value);
  form.reset();
});
// A page that the user has left can stay in the memory of the browser, with its connection. If the user comes back, the page connects again.
window.addEventListener("pagehide", () => socket.close());
connect();

function connect() {
  const address = new URL("talk", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    wait = FIRST_WAIT;
    send.disabled = false;
  });
  socket.addEventListener("message", (event) => hear(event.data));
  socket.addEventListener("close", (event) => {
    send.disabled = true;
    state.textContent = `${event.reason || "The connection has ended"}. The page connects again in ${wait / 1000} s.`;
    setTimeout(connect, wait);
    wait = Math.min(LONGEST_WAIT, 2 * wait);
  });
}

/** Reads a message: a word, a space, and the content. */
function hear(message) {
  const [, word, rest] = /^(\w+) (.*)$/s.exec(message);
  if (word === "you") {
    me = rest;
  } else if (word === "present") {
    state.textContent = `Connected as guest ${me}. ${rest === "1" ? "Nobody else is here." : `${rest} guests are here.`}`;
  } else if (word === "said") {
    const [, guest, text] = /^(\d+) (.*)$/s.exec(rest);
    add(guest, text);
  }
}

function add(guest, text) {
  const line = document.createElement("li");
  const name = document.createElement("b");
  line.className = guest === me ? "mine" : "";
  name.textContent = guest === me ? "You" : `Guest ${guest}`;
  line.append(name, " ", text);
  messages.append(line);
  while (messages.children.length > MOST_MESSAGES) {
    messages.firstChild.remove();
  }
  messages.scrollTop = messages.scrollHeight;
}
