package io.penstock.http2;

import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.ForwardedRequests;
import io.penstock.exchange.HeadRules;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.RefusedConnection;
import io.penstock.exchange.ServerResources;
import io.penstock.http.Version;
import io.penstock.limits.Key;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.Reactor;
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

    /** The answer to a refused client is GOAWAY with ENHANCE_YOUR_CALM. The client may try again on another connection. */
    @Override
    public LinkHandler refuse(Link link, AcceptedConnection accepted, Key limit) {
        return new RefusedConnection(server, link, accepted, limit, refused -> {
            refused.out().append(SegmentPool.segment(Frame.settings()));
            refused.out().append(SegmentPool.segment(Frame.goAway(0, ErrorCode.ENHANCE_YOUR_CALM)));
        });
    }
}
