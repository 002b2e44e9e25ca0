// A minimal STOMP client: frames over the WebSocket of the browser.
const list = document.getElementById('heard');
function show(text) {
    const item = document.createElement('li');
    item.textContent = text;
    list.append(item);
}
let socket;
const frame = (command, fields, body) =>
    socket.send(command + '\n' + Object.entries(fields).map(([name, value]) => name + ':' + value + '\n').join('') + '\n' + (body || '') + '\0');

function talk() {
    socket = new WebSocket('ws://' + location.host + '/stomp', ['v12.stomp']);
    socket.onopen = () => frame('CONNECT', {'accept-version': '1.2', host: location.hostname});
    socket.onmessage = event => {
        const [head, body] = event.data.split('\n\n');
        if (head.startsWith('CONNECTED')) {
            frame('SUBSCRIBE', {id: '0', destination: '/topic/talk'});
            frame('SEND', {destination: '/app/talk', 'content-type': 'text/plain;charset=utf-8'}, 'Grüße');
        } else if (head.startsWith('MESSAGE')) {
            show(body.replace('\0', ''));
        }
    };
    socket.onclose = event => show('closed ' + event.code);
}

const source = new EventSource('/events');
source.addEventListener('step', event => {
    show(event.lastEventId + ' ' + event.data);
    if (!socket) {
        talk();
    }
});
