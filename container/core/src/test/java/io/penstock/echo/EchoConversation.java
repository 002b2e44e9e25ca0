package io.penstock.echo;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.ServerResources;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The conversation with one client. All methods run on the reactor, which is the selector thread of the connection. No other thread writes
 * to the connection.
 */
final class EchoConversation implements Conversation {
    private final EchoProtocol protocol;
    private final ServerResources server;
    private final Link link;
    private final AcceptedConnection accepted;
    private final ByteBuffer held = ByteBuffer.allocate(4096).flip(); // bytes that are received, but not sent back yet
    private boolean ends;

    EchoConversation(EchoProtocol protocol, ServerResources server, Link link, AcceptedConnection accepted) {
        this.protocol = protocol;
        this.server = server;
        this.link = link;
        this.accepted = accepted;
    }

    @Override
    public void onReadable() throws IOException {
        if (held.hasRemaining() || ends) {
            return;
        }
        held.clear();
        int count = link.read(held);
        held.flip();
        ends = count < 0;
        send();
    }

    @Override
    public void onWritable() throws IOException {
        send();
    }

    private void send() throws IOException {
        if (held.hasRemaining()) {
            link.write(new ByteBuffer[] {held}, 0, 1);
        }
        boolean sent = !held.hasRemaining() && link.flush();
        if (sent && ends) {
            link.shutdownOutput();
            sent = link.flush();
        }
        if (sent && ends) {
            link.close(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
        } else {
            link.wantReadable(sent);
            link.wantWritable(!sent);
        }
    }

    @Override
    public void onSignals(int bits) {}

    @Override
    public void onClosed(ConnectionClosed cause) {
        server.events().closed(accepted.connectionId(), cause.reason(), cause.detail());
    }

    @Override
    public ConnectionState state() {
        return held.hasRemaining() ? ConnectionState.DRAINING : ConnectionState.IDLE;
    }

    @Override
    public ConnectionSnapshot snapshot() {
        return new ConnectionSnapshot(
                accepted.connectionId(), link.remote(), state(), ageNanos(), "", List.of(), 0, 0, responseBytes(), 0);
    }

    @Override
    public long requestBytes() {
        return 0;
    }

    @Override
    public long responseBytes() {
        return held.remaining();
    }

    @Override
    public long ageNanos() {
        return link.reactor().now() - accepted.nanos();
    }

    @Override
    public void lastRequests() {
        protocol.lastRequests.incrementAndGet();
    }

    @Override
    public void finish() throws IOException {
        ends = true;
        send();
    }

    @Override
    public void cut() {
        close(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
    }

    @Override
    public void end() {
        close(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
    }

    @Override
    public void close(ConnectionClosed cause) {
        link.close(cause);
    }
}
