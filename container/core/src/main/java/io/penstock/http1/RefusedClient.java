package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.RequestReport;
import io.penstock.exchange.ServerResources;
import io.penstock.http.FieldList;
import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;

/**
 * Refuses a client whose connection exceeds a limit for connections. The client gets the status of the limit at once. Its request is not
 * parsed. Then the client has the linger time to close the connection. During this time, the server reads and drops the client's bytes. If
 * the server closed the connection while received bytes are unread, the close could destroy the response on its way (RFC 9112 section 9.6).
 *
 * <p>Thread: the reactor.
 */
final class RefusedClient implements LinkHandler {
    private static final int ANSWER = 1;

    private final ServerResources server;
    private final HeadWriter heads;
    private final Link link;
    private final long number;
    private final Key limit;
    private final ResponsePipe out;
    private final Deadline deadline;
    private final RequestObserver observer;
    private final ConnectionClosed closing = new ConnectionClosed(CloseCause.MAX_CONNECTIONS);

    RefusedClient(ServerResources server, HeadWriter heads, Link link, long number, Key limit) {
        this.server = server;
        this.heads = heads;
        this.link = link;
        this.number = number;
        this.limit = limit;
        this.out = new ResponsePipe(server.pipeMemory());
        this.deadline = new Deadline(link) {
            @Override
            protected void passed() {
                timedOut();
            }
        };
        this.observer =
                server.followsNow() ? RequestReport.ofRefusedConnection(server, link, out, id()) : RequestObserver.NONE;
        link.signal(ANSWER); // the reactor answers later, when the link knows its handler
    }

    @Override
    public void onSignals(int bits) throws IOException {
        String wait = Integer.toString(server.queue().secondsToEmpty());
        CannedResponse answer = new CannedResponse(
                        limit.consequence().status(), new FieldList().add("Retry-After", wait), null)
                .observedBy(observer, limit.id());
        server.events().refused(id(), answer.status(), limit.id());
        observer.responding(answer.status(), answer.fields());
        out.append(heads.whole(new Http1CannedResponse(answer, closing)));
        deadline.in(server.config().timeouts().linger());
        send();
    }

    /**
     * Sends the response. A new socket takes a few hundred bytes at once. But TLS also sends its own bytes, so it is possible that some
     * bytes must wait until the socket is writable.
     */
    private void send() throws IOException {
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
    public void onWritable() throws IOException {
        send();
    }

    @Override
    public void onClosed(ConnectionClosed cause) {
        deadline.remove();
        out.fail(cause);
        observer.lost(cause.getMessage()); // no effect if the response has been sent
        // Reports the first cause, even if the connection has closed for another cause.
        server.events().closed(id(), closing.reason(), closing.detail());
    }

    private void timedOut() {
        server.reached(Key.LINGER_TIMEOUT);
        server.events().timedOut(id(), Key.LINGER_TIMEOUT.id());
        link.close(closing);
    }

    private String id() {
        return AcceptedConnection.connectionId(number);
    }
}
