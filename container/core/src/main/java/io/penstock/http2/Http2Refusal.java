package io.penstock.http2;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.ServerResources;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Refuses a client whose connection exceeds a limit for connections: GOAWAY with ENHANCE_YOUR_CALM. The client may try again on another
 * connection. Then it has the linger time to close this one, as in HTTP/1.1: its first frames are unread, so a close could destroy the GOAWAY
 * on its way.
 *
 * <p>Thread: the reactor.
 */
final class Http2Refusal implements LinkHandler {
    private final ServerResources server;
    private final Link link;
    private final AcceptedConnection accepted;
    private final Key limit;
    private final Deadline deadline;
    private final ByteBuffer answer = ByteBuffer.allocate(64);
    private final ConnectionClosed closing = new ConnectionClosed(CloseCause.MAX_CONNECTIONS);

    Http2Refusal(ServerResources server, Link link, AcceptedConnection accepted, Key limit) {
        this.server = server;
        this.link = link;
        this.accepted = accepted;
        this.limit = limit;
        this.deadline = new Deadline(link) {
            @Override
            protected void passed() {
                server.reached(Key.LINGER_TIMEOUT);
                server.events().timedOut(accepted.connectionId(), Key.LINGER_TIMEOUT.id());
                link.close(closing);
            }
        };
        answer.put(Frame.settings())
                .put(Frame.goAway(0, ErrorCode.ENHANCE_YOUR_CALM))
                .flip();
        link.signal(Http2Output.STALLED); // the link knows its handler then
    }

    @Override
    public void onSignals(int bits) throws IOException {
        server.events().refused(accepted.connectionId(), limit.consequence().status(), limit.id());
        deadline.in(server.config().timeouts().linger());
        onWritable();
    }

    @Override
    public void onWritable() throws IOException {
        if (answer.hasRemaining()) {
            link.write(answer);
        }
        boolean sent = !answer.hasRemaining() && link.flush();
        if (sent) {
            link.shutdownOutput();
            sent = link.flush();
        }
        link.wantWritable(!sent);
    }

    @Override
    public void onReadable() throws IOException {
        if (link.read(link.reactor().readBuffer()) < 0) {
            link.close(closing);
        }
    }

    @Override
    public void onClosed(ConnectionClosed cause) {
        deadline.remove();
        server.events().closed(accepted.connectionId(), closing.reason(), closing.detail());
    }
}
