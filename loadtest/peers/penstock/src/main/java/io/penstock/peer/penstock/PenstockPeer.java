package io.penstock.peer.penstock;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.peer.Peer;
import io.penstock.peer.PeerOptions;
import io.penstock.peer.PeerTls;
import io.penstock.peer.Tuned;
import io.penstock.peer.content.Content;
import io.penstock.peer.content.Endpoints;
import io.penstock.websocket.WebSockets;
import java.util.Objects;

/**
 * Runs Penstock with the common content. Some common settings of all servers are equal to Penstock's defaults, so they are not set in this
 * class.
 */
public final class PenstockPeer {
    private PenstockPeer() {}

    public static void main(String[] args) {
        Peer.main(args, PenstockPeer::start);
    }

    private static Peer.Running start(PeerOptions options) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(options.port())
                .context("/", context -> {
                    for (Content content : Content.values()) {
                        context.servlet(content.name(), content.newServlet(), content.path());
                    }
                    context.resources(options.root());
                    if (options.webSocket()) {
                        context.initializer(WebSockets.endpoints(Endpoints.ALL.toArray(Class<?>[]::new)));
                    }
                });
        if (options.tuned()) {
            builder.workers(Tuned.WORKERS)
                    .set("backlog", Integer.toString(Tuned.BACKLOG))
                    .set("max-connections", Integer.toString(Tuned.CONNECTIONS))
                    // The other servers have a single timeout for all these cases.
                    .set("keep-alive-timeout", Tuned.IDLE_MILLIS + "ms")
                    .set("handshake-timeout", Tuned.IDLE_MILLIS + "ms")
                    .set("head-timeout", Tuned.IDLE_MILLIS + "ms")
                    .set("body-stall-timeout", Tuned.IDLE_MILLIS + "ms")
                    .set("write-stall-timeout", Tuned.IDLE_MILLIS + "ms")
                    // The other servers do not limit their queues of requests.
                    .queue(Tuned.CONNECTIONS)
                    .set("overload-after", "0s");
        }
        if (options.threads() == PeerOptions.Threads.VIRTUAL) {
            builder.set("virtual-threads", "on");
        }
        if (options.workers() > 0) {
            builder.workers(options.workers());
        }
        if (options.sendBuffer() > 0) {
            builder.set("send-buffer", Integer.toString(options.sendBuffer()));
        }
        if (options.http2()) {
            // Over TLS, this is the default.
            builder.set("h2c", "on");
        }
        options.keyStore().ifPresent(keyStore -> builder.set("tls-keystore", keyStore.toString())
                .set("tls-key-password", PeerTls.PASSWORD)
                .set("tls-protocols", String.join(",", PeerTls.PROTOCOLS))
                .set("tls-ciphers", String.join(",", PeerTls.SUITES)));
        options.own().forEach(builder::set);
        Penstock server = builder.start();
        return new Peer.Running(
                "Penstock " + version(),
                server.port(),
                () -> Objects.requireNonNull(server.counters().get("outdated")));
    }

    private static String version() {
        String version = Penstock.class.getPackage().getImplementationVersion();
        return version == null ? "unpacked" : version;
    }
}
