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

/**
 * A protocol as small as can be: the server sends what the client sends. It shows how a protocol uses its link: how it is opened, refuses a
 * client, and ends. It has no requests, so it shows nothing of exchanges, the queue, workers or the write token.
 */
public final class EchoProtocol implements Protocol {
    public static final String NAME = "echo";

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
        return new EchoConversation(server, link, accepted);
    }

    /** Says nothing, but ends: the protocol has no words for it. */
    @Override
    public LinkHandler refuse(Link link, AcceptedConnection accepted, Key limit) {
        EchoConversation last = new EchoConversation(server, link, accepted);
        link.reactor().execute(() -> link.contain(last::finish)); // as soon as the link knows its handler
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
