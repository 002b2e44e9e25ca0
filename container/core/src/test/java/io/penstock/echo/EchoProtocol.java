package io.penstock.echo;

import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A minimal protocol: the server sends each received byte back. The class shows how a protocol opens a connection, refuses a client, and
 * ends a connection. The protocol has no requests, so it needs no exchanges and no workers.
 */
public final class EchoProtocol implements Protocol {
    public static final String NAME = "echo";

    /** How often conversations have learned that the server serves the last requests. */
    public final AtomicInteger lastRequests = new AtomicInteger();

    private final ServerResources server;

    public EchoProtocol(ServerResources server) {
        this.server = server;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Conversation open(Link link, AcceptedConnection accepted) {
        return new EchoConversation(this, server, link, accepted);
    }

    /** Ends the connection without a message, because the protocol has no message for a refusal. */
    @Override
    public LinkHandler refuse(Link link, AcceptedConnection accepted, Key limit) {
        EchoConversation last = new EchoConversation(this, server, link, accepted);
        link.reactor().execute(() -> link.contain(last::finish)); // runs after this method has returned the handler
        return new LinkHandler() {
            @Override
            public void onReadable() throws IOException {
                last.onReadable();
            }

            @Override
            public void onWritable() throws IOException {
                last.onWritable();
            }

            @Override
            public void onSignals(int bits) {}

            @Override
            public void onClosed(ConnectionClosed cause) {
                last.onClosed(cause);
            }
        };
    }
}
