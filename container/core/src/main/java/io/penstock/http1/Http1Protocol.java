package io.penstock.http1;

import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Admission;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.ForwardedRequests;
import io.penstock.exchange.HeadRules;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.RefusedConnection;
import io.penstock.exchange.ServerResources;
import io.penstock.limits.Key;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.Reactor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The protocol HTTP/1.1, with the objects that all HTTP/1.1 connections of one server share.
 *
 * <p>Thread: the reactors.
 */
public final class Http1Protocol implements Protocol {
    private final ServerResources server;
    private final HeadRules rules;
    private final HeadWriter heads;
    private final Map<Reactor, HeadStage.Shared> shared = new ConcurrentHashMap<>();

    // For the connections of trusted proxies; null if no proxy is trusted.
    private final @Nullable ForwardedRequests forwarded;
    private final Map<Reactor, HeadStage.Shared> sharedByProxies = new ConcurrentHashMap<>();

    /** The protocol for connections without TLS. */
    public Http1Protocol(ServerResources server) {
        this(server, new HeadRules(server, server.admission(), HeadRules.Hosts.ANY), null);
    }

    private Http1Protocol(ServerResources server, HeadRules rules, @Nullable String strictTransportSecurity) {
        this.server = server;
        this.rules = rules;
        this.heads = new HeadWriter(server.pool(), strictTransportSecurity, server::responseRules);
        this.forwarded = ForwardedRequests.of(server.config().proxies());
    }

    /**
     * The protocol for connections without TLS, with another admission.
     *
     * @param admission decides on the requests in place of the server's admission
     */
    public static Http1Protocol plain(ServerResources server, Admission admission) {
        return new Http1Protocol(server, new HeadRules(server, admission, HeadRules.Hosts.ANY), null);
    }

    /** The protocol for connections over TLS. */
    public static Http1Protocol overTls(ServerResources server) {
        return new Http1Protocol(
                server,
                new HeadRules(server, server.admission(), HeadRules.Hosts.OF_HANDSHAKE),
                server.config().https().strictTransportSecurity());
    }

    /** The answer to a client that sends HTTP without TLS to a port with TLS. */
    public static ByteBuffer answerWithoutTls() {
        String text = "This port speaks HTTPS: the address must begin with https://\n";
        String head =
                "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain;charset=us-ascii\r\nContent-Length: "
                        + text.length() + "\r\n\r\n";
        return ByteBuffer.wrap((head + text).getBytes(StandardCharsets.US_ASCII))
                .asReadOnlyBuffer();
    }

    @Override
    public String name() {
        return HTTP_1_1;
    }

    @Override
    public Conversation open(Link link, AcceptedConnection accepted) {
        return new Http1Connection(shared(link, accepted), link, accepted);
    }

    /**
     * Returns the shared objects for a connection. Connections of trusted proxies have their own objects, so the address of the client is
     * compared with the addresses of the trusted proxies. This happens once for each connection.
     */
    private HeadStage.Shared shared(Link link, AcceptedConnection accepted) {
        ForwardedRequests reader = forwarded;
        if (reader != null && reader.comeFrom(link.remote())) {
            HeadRules believing = rules.forProxies(reader);
            return sharedByProxies.computeIfAbsent(link.reactor(), reactor -> shared(reactor, believing, accepted));
        }
        return shared.computeIfAbsent(link.reactor(), reactor -> shared(reactor, rules, accepted));
    }

    private HeadStage.Shared shared(Reactor reactor, HeadRules ofHeads, AcceptedConnection first) {
        return new HeadStage.Shared(server, heads, ofHeads, reactor, first.unfinished());
    }

    @Override
    public LinkHandler refuse(Link link, AcceptedConnection accepted, Key limit) {
        return new RefusedConnection(
                server,
                link,
                accepted,
                limit,
                refused -> heads.send(refused.out(), new Http1CannedResponse(refused.response(), refused.closing())));
    }
}
