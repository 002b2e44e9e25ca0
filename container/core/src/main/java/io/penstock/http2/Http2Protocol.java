package io.penstock.http2;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.ForwardedRequests;
import io.penstock.exchange.HeadRules;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.http.Version;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.Reactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The protocol HTTP/2, with the objects that all HTTP/2 connections of one server share.
 *
 * <p>Thread: the reactors.
 */
public final class Http2Protocol implements Protocol {
    private final ServerResources server;
    private final HeadRules rules;
    private final Http2Heads heads;
    private final Map<Reactor, Http2Parts> parts = new ConcurrentHashMap<>();

    // For the connections of trusted proxies; null if no proxy is trusted.
    private final @Nullable ForwardedRequests forwarded;
    private final Map<Reactor, Http2Parts> partsForProxies = new ConcurrentHashMap<>();

    private Http2Protocol(ServerResources server, HeadRules rules, @Nullable String strictTransportSecurity) {
        this.server = server;
        this.rules = rules;
        this.heads = new Http2Heads(strictTransportSecurity, server::responseRules);
        this.forwarded = ForwardedRequests.of(server.config().proxies());
    }

    /** The protocol for connections without TLS. */
    public static Http2Protocol plain(ServerResources server) {
        return new Http2Protocol(server, new HeadRules(server, server.admission(), HeadRules.Hosts.ANY), null);
    }

    /** The protocol for connections over TLS. */
    public static Http2Protocol overTls(ServerResources server) {
        return new Http2Protocol(
                server,
                new HeadRules(server, server.admission(), HeadRules.Hosts.OF_HANDSHAKE),
                server.config().https().strictTransportSecurity());
    }

    @Override
    public String name() {
        return Version.HTTP_2.alpn();
    }

    @Override
    public Conversation open(Link link, AcceptedConnection accepted) {
        ForwardedRequests reader = forwarded;
        if (reader != null && reader.comeFrom(link.remote())) {
            return new Http2Connection(
                    partsForProxies.computeIfAbsent(
                            link.reactor(), reactor -> parts(rules.forProxies(reader), accepted)),
                    link,
                    accepted);
        }
        return new Http2Connection(
                parts.computeIfAbsent(link.reactor(), reactor -> parts(rules, accepted)), link, accepted);
    }

    private Http2Parts parts(HeadRules ofHeads, AcceptedConnection first) {
        return new Http2Parts(server, heads, ofHeads, first.unfinished());
    }

    /** Sends GOAWAY with ENHANCE_YOUR_CALM: the client may try again on another connection. */
    @Override
    public LinkHandler refuse(Link link, AcceptedConnection accepted, Key limit) {
        ConnectionClosed cause = new ConnectionClosed(CloseCause.MAX_CONNECTIONS);
        ByteBuffer answer = ByteBuffer.allocate(64);
        answer.put(Frame.settings())
                .put(Frame.goAway(0, ErrorCode.ENHANCE_YOUR_CALM))
                .flip();
        link.signal(Http2Output.STALLED); // the link knows its handler then
        return new LinkHandler() {
            @Override
            public void onReadable() throws IOException {
                if (link.read(link.reactor().readBuffer()) < 0) {
                    link.close(cause);
                }
            }

            @Override
            public void onWritable() throws IOException {
                link.write(answer);
                boolean sent = !answer.hasRemaining() && link.flush();
                link.wantWritable(!sent);
                if (sent) {
                    link.close(cause);
                }
            }

            @Override
            public void onSignals(int bits) throws IOException {
                server.events()
                        .refused(accepted.connectionId(), limit.consequence().status(), limit.id());
                onWritable();
            }

            @Override
            public void onClosed(ConnectionClosed why) {
                server.events().closed(accepted.connectionId(), cause.reason(), cause.detail());
            }
        };
    }
}
