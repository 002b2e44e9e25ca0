package io.penstock.loadtest.io.tell;

import io.penstock.accesslog.AccessLog;
import io.penstock.events.ConnectionEvents;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.flight.Flight;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.Counters;
import io.penstock.loadtest.io.tell.TellWay.Listener;
import io.penstock.memory.Rounds;
import io.penstock.metrics.RequestMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Tells of requests as the server does, on one thread, so many at a time that all of them have a place in the access log, which is empty
 * when they begin: what is measured is the teller's time, not the writer's.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TellBenchmark {
    /** Half of the places that an access log has. */
    private static final int AT_A_TIME = 4096;

    private static final Request.FieldLookup FIELDS = name -> switch (name) {
        case "User-Agent" -> Optional.of("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0");
        case "Referer" -> Optional.of("https://example.org/orders?page=2");
        default -> Optional.empty();
    };

    @Param("NOBODY")
    TellWay way = TellWay.NOBODY;

    private final InetSocketAddress client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_112);
    private final Instant began = Instant.EPOCH;
    private ConnectionEvents events = ConnectionEvents.NONE;
    private @Nullable Recording recording;
    private @Nullable Path file;
    private @Nullable AccessLog log;
    private List<ConnectionEvents> others = List.of();

    @Setup(Level.Trial)
    public void listen() throws IOException, ParseException {
        List<ConnectionEvents> listeners = new ArrayList<>();
        if (way.has(Listener.METRICS)) {
            listeners.add(new RequestMetrics());
        }
        if (way.has(Listener.FLIGHT)) {
            Flight.recorder().ifPresent(listeners::add);
        }
        if (way.has(Listener.RECORDING)) {
            Recording begun = new Recording(Configuration.getConfiguration("default"));
            begun.start();
            recording = begun;
        }
        others = listeners;
        if (way.has(Listener.ACCESS_LOG)) {
            file = Files.createTempFile("penstock-tell-", ".log");
        } else {
            events = ConnectionEvents.all(listeners);
        }
    }

    /** Takes some milliseconds, as does its end; neither is measured. */
    @Setup(Level.Invocation)
    public void openLog() throws IOException {
        Path path = file;
        if (path != null) {
            AccessLogging usual = AccessLogging.defaults();
            AccessLog opened = new AccessLog(
                    new AccessLogging(
                            AccessLogging.Where.FILE,
                            path,
                            "combined",
                            usual.ring(),
                            usual.rotateSize(),
                            usual.rotate(),
                            usual.keep()),
                    new Counters(),
                    Rounds.unwatched());
            opened.start();
            log = opened;
            List<ConnectionEvents> all = new ArrayList<>(others);
            all.add(opened);
            events = ConnectionEvents.all(all);
        }
    }

    @Benchmark
    @OperationsPerInvocation(AT_A_TIME)
    public void tell() {
        ConnectionEvents told = events;
        for (int i = 0; i < AT_A_TIME; i++) {
            if (told.followsRequests() && told.followsNow()) {
                tell(told, i);
            }
        }
    }

    private void tell(ConnectionEvents told, int number) {
        Request request = new Request("c23", number, client, "GET", "/orders?page=3", "HTTP/1.1", FIELDS);
        told.headArrived(request);
        told.queued(request);
        told.taken(request, 40_000);
        told.responding(request, 200);
        told.ended(new RequestSummary(
                request,
                "",
                RequestSummary.Outcome.ANSWERED,
                200,
                "",
                new RequestSummary.Volume(0, 5_120, 0, 0),
                new RequestSummary.Times(began, 5_000, 0, 40_000, 90_000 + number, 3_000)));
    }

    @TearDown(Level.Invocation)
    public void closeLog() throws IOException {
        if (log != null) {
            log.close();
            Files.write(Objects.requireNonNull(file), new byte[0]);
        }
    }

    @TearDown(Level.Trial)
    public void leave() throws IOException {
        if (recording != null) {
            recording.close();
        }
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }
}
