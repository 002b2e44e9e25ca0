package io.penstock.server;

import io.penstock.admin.Watched;
import io.penstock.certificates.ServerCertificates;
import io.penstock.context.ServerInfo;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.memory.MemoryWatch;
import io.penstock.metrics.Gauges;
import io.penstock.metrics.RequestMetrics;
import io.penstock.metrics.ServerFigures;
import io.penstock.pipe.ClientWaits;
import io.penstock.work.Job;
import io.penstock.work.Workers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The data of a server that the admin port shows.
 *
 * <p>Thread: any, except for the server's reactors.
 */
public final class WatchedServer implements Watched {
    private final Server server;
    private final Transport transport;
    private final Instant started = Instant.now();

    public WatchedServer(Server server) {
        this.server = server;
        this.transport = server.transport();
    }

    @Override
    public Health health() {
        return server.health();
    }

    @Override
    public MemoryWatch memory() {
        return server.memory();
    }

    @Override
    public Instant started() {
        return started;
    }

    @Override
    public String version() {
        return ServerInfo.VERSION;
    }

    @Override
    public List<String> addresses() {
        return transport.addresses().stream().map(WatchedServer::text).toList();
    }

    @Override
    public List<String> secureAddresses() {
        return server.secureAddresses().stream().map(WatchedServer::text).toList();
    }

    private static String text(SocketAddress address) {
        if (address instanceof InetSocketAddress inet) {
            InetAddress host = inet.getAddress();
            String text = host.isAnyLocalAddress() ? "*" : host.getHostAddress();
            return new BindAddress.Network(text, inet.getPort()).toString();
        }
        return address.toString();
    }

    @Override
    public List<Certificate> certificates() {
        ServerCertificates certificates = server.certificates();
        return certificates == null
                ? List.of()
                : certificates.inUse().stream()
                        .map(one -> new Certificate(one.names(), one.expires()))
                        .toList();
    }

    @Override
    public Configuration configuration() {
        return server.configuration();
    }

    @Override
    public Counters counters() {
        return server.counters();
    }

    @Override
    public Gauges gauges() {
        return transport.gauges();
    }

    @Override
    public List<Bulkhead> bulkheads() {
        return transport.bulkheads().stream()
                .map(figures -> new Bulkhead(
                        figures.limits(),
                        figures.running().getAsLong(),
                        figures.queued().getAsLong(),
                        figures.refused().getAsLong(),
                        figures.spoolWrites().getAsLong()))
                .toList();
    }

    @Override
    public ServerFigures figures() {
        return server.figures();
    }

    @Override
    public @Nullable RequestMetrics metrics() {
        return server.metrics();
    }

    @Override
    public Connections connections() {
        ConnectionList list = transport.list();
        return new Connections(
                list.connections().stream().map(WatchedServer::connection).toList(), list.missing());
    }

    @Override
    public Connections busiest(int most) {
        ConnectionCensus census = transport.census(most);
        return new Connections(
                census.busiest().stream().map(WatchedServer::connection).toList(), census.missing());
    }

    private static Connection connection(ConnectionSnapshot snapshot) {
        return new Connection(
                snapshot.connection(),
                snapshot.client(),
                snapshot.state().shown(),
                snapshot.state().waitsFor(),
                snapshot.ageNanos(),
                snapshot.request(),
                snapshot.otherRequests(),
                snapshot.requestInMemory(),
                snapshot.requestOnDisk(),
                snapshot.responseInMemory(),
                snapshot.responseInFiles());
    }

    @Override
    public List<Worker> workers(long nanos) {
        List<Workers.Doing> all = transport.workers().doing().stream()
                .sorted(Workers.Doing.LONGEST_FIRST)
                .toList();
        List<Worker> workers = new ArrayList<>(all.size());
        for (Workers.Doing doing : all) {
            workers.add(worker(doing, workers.size() < STACKS && doing.nanos() >= nanos));
        }
        return workers;
    }

    @Override
    public List<WebSocket> slowWebSockets(int most) {
        return server.webSockets().slowest(most).stream()
                .map(one -> new WebSocket(one.endpoint(), one.address(), one.queuedBytes()))
                .toList();
    }

    @Override
    public List<Mapping> mappings() {
        return transport.workers().loads().stream()
                .map(load -> new Mapping(
                        load.mapping().name(),
                        load.mapping().running(),
                        load.longestNanos(),
                        load.mapping().waiting(),
                        load.oldestNanos(),
                        transport.refusals(load.mapping())))
                .toList();
    }

    private Worker worker(Workers.Doing doing, boolean withStack) {
        Job job = doing.job();
        Thread thread = doing.thread();
        if (job == null) {
            return new Worker(thread.getName(), Doing.IDLE, 0, "", List.of());
        }
        ClientWaits.For waitsFor = transport.pool().waits().of(thread);
        Doing what = waitsFor == null
                ? doing.waits() ? Doing.WAITS : Doing.BUSY
                : switch (waitsFor) {
                    case BYTES -> Doing.WAITS_FOR_BYTES;
                    case ROOM -> Doing.WAITS_FOR_ROOM;
                };
        List<StackTraceElement> stack = withStack ? List.of(thread.getStackTrace()) : List.of();
        return new Worker(thread.getName(), what, doing.nanos(), job.describe(), stack);
    }

    @Override
    public List<Application> applications() {
        return server.contexts().stream()
                .map(context -> new Application(
                        context.name(),
                        Objects.requireNonNullElse(context.getServletContextName(), ""),
                        context.inFlight().count(),
                        context.failures().byStatus()))
                .toList();
    }

    @Override
    public List<Failure> failures() {
        return server.applications().failures().stream()
                .map(failed -> new Failure(
                        failed.location(),
                        failed.source(),
                        failed.at(),
                        failed.reason(),
                        server.contexts().stream()
                                .anyMatch(context -> context.name().equals(failed.location()))))
                .toList();
    }

    @Override
    public String dump() {
        return server.dump();
    }
}
