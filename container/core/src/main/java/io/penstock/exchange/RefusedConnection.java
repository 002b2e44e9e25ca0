package io.penstock.exchange;

import io.penstock.events.CloseCause;
import io.penstock.http.FieldList;
import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;

/**
 * Refuses a client whose connection exceeds a limit for connections. The client gets the answer of its protocol at once. Its requests are
 * not parsed. Then the client has the linger time to close the connection. During this time, the server reads and drops the client's bytes.
 * If the server closed the connection while received bytes are unread, the close could destroy the answer on its way (RFC 9112 section
 * 9.6).
 *
 * <p>Thread: the reactor.
 */
public final class RefusedConnection implements LinkHandler {
    private static final int ANSWER = 1;

    /** Puts the answer of a protocol into the pipe of the connection. */
    @FunctionalInterface
    public interface Answer {
        void put(RefusedConnection refused) throws IOException;
    }

    private final ServerResources server;
    private final Link link;
    private final String id;
    private final Key limit;
    private final Answer answer;
    private final ResponsePipe out;
    private final Deadline deadline;
    private final ConnectionClosed closing = new ConnectionClosed(CloseCause.MAX_CONNECTIONS);
    private RequestObserver observer = RequestObserver.NONE;

    public RefusedConnection(ServerResources server, Link link, AcceptedConnection accepted, Key limit, Answer answer) {
        this.server = server;
        this.link = link;
        this.id = accepted.connectionId();
        this.limit = limit;
        this.answer = answer;
        this.out = new ResponsePipe(server.pipeMemory());
        this.deadline = new Deadline(link) {
            @Override
            protected void passed() {
                timedOut();
            }
        };
        link.signal(ANSWER); // the reactor answers later, when the link knows its handler
    }

    public ResponsePipe out() {
        return out;
    }

    public ConnectionClosed closing() {
        return closing;
    }

    /** The answer as a response. It is reported to listeners as that of one request. Called at most once. */
    public CannedResponse response() {
        if (server.followsNow()) {
            observer = RequestReport.ofRefusedConnection(server, link, out, id);
        }
        String wait = Integer.toString(server.queue().secondsToEmpty());
        CannedResponse response = new CannedResponse(
                        limit.consequence().status(), new FieldList().add("Retry-After", wait), null)
                .observedBy(observer, limit.id());
        observer.responding(response.status(), response.fields());
        return response;
    }

    @Override
    public void onSignals(int bits) throws IOException {
        server.events().refused(id, limit.consequence().status(), limit.id());
        answer.put(this);
        deadline.in(server.config().timeouts().linger());
        onWritable();
    }

    /**
     * Sends the answer. A new socket takes a few hundred bytes at once. But TLS also sends its own bytes, so it is possible that some bytes
     * must wait until the socket is writable.
     */
    @Override
    public void onWritable() throws IOException {
        boolean sent = out.drainTo(link, ResponsePipe.NOTHING);
        if (sent && out.sent() > 0) {
            observer.sent(out.sent());
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
        out.fail(cause);
        observer.lost(cause.getMessage()); // no effect if the answer has been sent
        // Reports the first cause, even if the connection has closed for another cause.
        server.events().closed(id, closing.reason(), closing.detail());
    }

    private void timedOut() {
        server.reached(Key.LINGER_TIMEOUT);
        server.events().timedOut(id, Key.LINGER_TIMEOUT.id());
        link.close(closing);
    }
}
