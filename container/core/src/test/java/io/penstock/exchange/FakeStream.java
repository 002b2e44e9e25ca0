package io.penstock.exchange;

import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.Link;
import io.penstock.reactor.TlsSession;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A stream of a protocol with several streams for each link. It has its own pipe, and remembers its failures. */
final class FakeStream implements RunningExchange.Stream {
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final ServerResources server;
    private final Link link;
    private final LinkWriter writer;
    private final DisconnectAction onDisconnect;

    FakeStream(ServerResources server, Link link) {
        this.server = server;
        this.link = link;
        this.writer = new LinkWriter(new ResponsePipe(server.pipeMemory()), link, LinkWriter.Files.AT_ONCE);
        this.onDisconnect = new DisconnectAction(writer.pipe());
    }

    @Override
    public ServerResources server() {
        return server;
    }

    @Override
    public String id() {
        return "c1";
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public Peer peer() {
        return Peer.of(id(), link);
    }

    @Override
    public @Nullable TlsSession tls() {
        return link.tls();
    }

    @Override
    public LinkWriter writer() {
        return writer;
    }

    @Override
    public boolean hasInputEnded() {
        return false;
    }

    @Override
    public DisconnectAction onDisconnect() {
        return onDisconnect;
    }

    @Override
    public void timedOut(Key timeout) {}

    @Override
    public void fail(Throwable cause) {
        failures.add(cause);
    }
}
