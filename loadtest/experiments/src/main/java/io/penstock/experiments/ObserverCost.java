package io.penstock.experiments;

import io.penstock.accesslog.AccessLog;
import io.penstock.events.ConnectionEvents;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.flight.Flight;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
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
import java.util.Set;
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
 * Measures how much time a server's thread needs to report the five events of a request to its observers. One thread reports the events in
 * the same way as the server. It reports them in batches that fit into the empty buffer of the access log. The thread that writes the log
 * is not measured. JMH runs this class. No other class of the experiments uses the server's own observers.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ObserverCost {
    /** The sets of observers that are measured. */
    public enum Observers {
        NONE(Set.of()),
        FLIGHT(Set.of(Observer.FLIGHT)),
        FLIGHT_RECORDED(Set.of(Observer.FLIGHT, Observer.RECORDING)),
        METRICS(Set.of(Observer.METRICS)),
        ACCESS_LOG(Set.of(Observer.ACCESS_LOG)),
        ALL(Set.of(Observer.FLIGHT, Observer.METRICS, Observer.ACCESS_LOG)),
        ALL_RECORDED(Set.of(Observer.values()));

        private final Set<Observer> parts;

        Observers(Set<Observer> parts) {
            this.parts = parts;
        }

        private boolean has(Observer observer) {
            return parts.contains(observer);
        }
    }

    /** One observer, or the recording for Flight Recorder. */
    private enum Observer {
        METRICS,
        ACCESS_LOG,
        FLIGHT,
        RECORDING
    }

    /** The number of requests in a batch: half of the capacity of the access log's buffer. */
    private static final int AT_A_TIME = 4096;

    private static final Request.FieldLookup FIELDS = name -> switch (name) {
        case "User-Agent" -> Optional.of("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0");
        case "Referer" -> Optional.of("https://example.org/orders?page=2");
        default -> Optional.empty();
    };

    /** JMH measures each of these sets. The command line of JMH can select some of them. */
    @Param
    Observers observers = Observers.NONE;

    private final InetSocketAddress client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_112);
    private final Instant began = Instant.EPOCH;
    private ConnectionEvents events = ConnectionEvents.NONE;
    private @Nullable Recording recording;
    private @Nullable Path file;
    private @Nullable AccessLog log;
    private List<ConnectionEvents> withoutLog = List.of();

    @Setup(Level.Trial)
    public void choose() throws IOException, ParseException {
        List<ConnectionEvents> chosen = new ArrayList<>();
        if (observers.has(Observer.METRICS)) {
            chosen.add(new RequestMetrics());
        }
        if (observers.has(Observer.FLIGHT)) {
            Flight.recorder().ifPresent(chosen::add);
        }
        if (observers.has(Observer.RECORDING)) {
            Recording begun = new Recording(Configuration.getConfiguration("default"));
            begun.start();
            recording = begun;
        }
        withoutLog = chosen;
        if (observers.has(Observer.ACCESS_LOG)) {
            file = Files.createTempFile("penstock-observers-", ".log");
        } else {
            events = ConnectionEvents.all(chosen);
        }
    }

    /** Opens a new access log for each batch. Opening and closing take some milliseconds each, which are not measured. */
    @Setup(Level.Invocation)
    public void openLog() throws IOException {
        Path path = file;
        if (path != null) {
            AccessLogging usual = ServerConfig.defaults().accessLog();
            AccessLog opened = new AccessLog(
                    new AccessLogging(
                            AccessLogging.Where.FILE,
                            path,
                            "combined",
                            usual.ring(),
                            usual.rotateSize(),
                            usual.rotate(),
                            usual.keep(),
                            usual.only(),
                            usual.unless(),
                            usual.node()),
                    new Counters(),
                    Rounds.unwatched());
            opened.start();
            log = opened;
            List<ConnectionEvents> all = new ArrayList<>(withoutLog);
            all.add(opened);
            events = ConnectionEvents.all(all);
        }
    }

    @Benchmark
    @OperationsPerInvocation(AT_A_TIME)
    public void request() {
        ConnectionEvents current = events;
        for (int i = 0; i < AT_A_TIME; i++) {
            if (current.followsRequests() && current.followsNow()) {
                report(current, i);
            }
        }
    }

    private void report(ConnectionEvents to, int number) {
        Request request = new Request("c23", number, client, "GET", "/orders?page=3", "HTTP/1.1", FIELDS);
        to.headArrived(request);
        to.queued(request);
        to.taken(request, 40_000);
        to.responding(request, 200);
        to.ended(new RequestSummary(
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
    public void end() throws IOException {
        if (recording != null) {
            recording.close();
        }
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }
}
