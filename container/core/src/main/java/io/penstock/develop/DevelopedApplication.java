package io.penstock.develop;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.deploy.ApplicationContent;
import io.penstock.deploy.DeploymentException;
import io.penstock.deploy.RunningStart;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One application in development. Before a request is served, a worker scans the files for changes, unless the request is for a plain file.
 * So the request gets the version that was current when it arrived. While files change or a new version starts, all requests wait. Waiting
 * requests occupy no workers.
 *
 * <pre>
 *             +--the same content------------------------+
 *             v                                          |
 *   QUIET --a scan finds other files--> CHANGING --at rest, other content--> RELOADING --started, or failed--> QUIET
 *                                          |  ^
 *                    for longer than LONGEST  |
 *                                          v  |
 *                                       UNSETTLED, in which no request waits
 *
 *   RELOADING --for longer than LONGEST--> OVERDUE, in which no request waits --started, or failed--> QUIET
 * </pre>
 *
 * <p>Thread: {@link #arrive}: workers. Scans: one worker at a time. {@link #wantLook}: any. If a version fails, the failure is logged, and
 * {@link FailurePage} shows it.
 */
final class DevelopedApplication {
    private static final Logger LOG = LoggerFactory.getLogger(DevelopedApplication.class);

    /** The longest wait of requests, for changing files or for the start of a version. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** The pause between two scans while files change and requests wait. */
    static final Duration SHORT_PAUSE = Duration.ofMillis(50);

    /** The pause between two scans when files have changed for so long that requests no longer wait. */
    static final Duration LONG_PAUSE = Duration.ofSeconds(1);

    /** The pause after a long scan, as a multiple of the scan's duration. The pause never exceeds {@link #LONG_PAUSE}. */
    private static final int PAUSE_PER_SCAN = 4;

    /**
     * Init parameters of the context. Each request for a JSP page checks the page for changes. Clients see the errors of pages and the
     * exceptions of servlets.
     */
    private static final Map<String, String> PARAMETERS = Map.of(
            "penstock.jsp.modificationTestInterval", "0",
            "penstock.jsp.show-errors", "true",
            "penstock.show-exceptions", "true");

    private final String place;
    private final SourceTree tree;
    private final SourceChanges changes;
    private final Clock clock;
    private final @Nullable Path temporary;
    private final ExchangeHandler next;
    private final Surroundings server;
    private final Logger log;

    /** The requests that wait for the next scan. */
    @GuardedBy("this")
    private List<Runnable> waiting = new ArrayList<>();

    /** The requests that arrived before the current scan began. */
    @GuardedBy("this")
    private List<Runnable> before = new ArrayList<>();

    /** The start of a version, while it runs. */
    @GuardedBy("this")
    private @Nullable RunningStart starting;

    @GuardedBy("this")
    private Activity activity = Activity.QUIET;

    @GuardedBy("this")
    private Scanning scanning = Scanning.NOT;

    /** When the activity left QUIET. Only the scanning thread uses it. */
    private long changingSince;

    /** The duration of the last scan. Only the scanning thread uses it. */
    private long scanNanos;

    /** The version that serves requests. Only the scanning thread uses it. */
    private @Nullable Version serving;

    private int failures;
    private volatile @Nullable FailedVersion failure;

    private enum Activity {
        QUIET,
        CHANGING,
        UNSETTLED,
        RELOADING,
        OVERDUE,
        /** The server ends: requests no longer wait. */
        ENDED
    }

    private enum Scanning {
        NOT,
        /** A timer will start a scan after a pause. */
        PAUSE,
        /** A worker scans the files, or will do so soon. */
        DUE
    }

    /** The functions of the server that the application needs. */
    interface Surroundings {
        /**
         * Deploys this version in place of the former version. Waits until it has started.
         *
         * @param start must begin on the thread that starts the version
         */
        void deploy(ApplicationContent version, RunningStart start) throws DeploymentException;

        /** Deploys a context without content. So requests reach this object, and can be answered with the failure. */
        void deployNothing() throws DeploymentException;

        /** Runs the task on a worker. Does not wait. */
        void onWorker(Runnable task);

        /** Runs the task later, on a thread that must not wait. */
        void after(Duration delay, Runnable task);
    }

    DevelopedApplication(
            String place,
            SourceTree tree,
            SourceChanges changes,
            Clock clock,
            @Nullable Path temporary,
            ExchangeHandler next,
            Surroundings server) {
        this(place, tree, changes, clock, temporary, next, server, LOG);
    }

    DevelopedApplication(
            String place,
            SourceTree tree,
            SourceChanges changes,
            Clock clock,
            @Nullable Path temporary,
            ExchangeHandler next,
            Surroundings server,
            Logger log) {
        this.log = log;
        this.place = place;
        this.tree = tree;
        this.changes = changes;
        this.clock = clock;
        this.temporary = temporary;
        this.next = next;
        this.server = server;
    }

    // ---- the first version

    /**
     * Deploys the first version. If this fails, deploys a context without content: requests are then answered with the failure.
     *
     * @throws DeploymentException if the first folder does not exist, or if the server ends
     */
    void open() throws DeploymentException {
        for (Path folder : tree.folders()) {
            if (!Files.isDirectory(folder)) {
                if (folder.equals(tree.named())) {
                    throw new DeploymentException(folder + ": no such folder");
                }
                log.info(
                        "{} does not exist. Its files will be part of the next version after it has been created",
                        folder);
            }
        }
        try {
            SourceChanges.Files files = changes.now();
            Version version = Version.of(files, temporary, null);
            changes.made(files);
            reload(version, "");
        } catch (IOException e) {
            failed(e);
        }
        if (failure != null) {
            server.deployNothing();
        }
    }

    // ---- requests

    /** Serves the request now, or after a scan of the files. Thread: the request's worker. */
    void arrive(Exchange exchange, Kind kind) throws Exception {
        if (waits(exchange, kind)) {
            wantLook();
        } else {
            serve(exchange);
        }
    }

    /** The kind of a request. */
    enum Kind {
        /** A file; it is read in its current state. */
        FILE,
        OTHER
    }

    private synchronized boolean waits(Exchange exchange, Kind kind) {
        boolean waits =
                switch (activity) {
                    case QUIET -> kind == Kind.OTHER || failure != null;
                    case CHANGING, RELOADING -> true;
                    case UNSETTLED, OVERDUE, ENDED -> false;
                };
        if (waits) {
            waiting.add(() -> exchange.resume(() -> serveLater(exchange)));
        }
        return waits;
    }

    private void serveLater(Exchange exchange) {
        try {
            serve(exchange);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            log.debug("Request {} ended because its client disconnected", exchange.id(), e);
            exchange.response().abort(e);
        }
    }

    private void serve(Exchange exchange) throws Exception {
        FailedVersion failed = failure;
        if (FailurePage.isQuestion(exchange.head())) {
            FailurePage.answerQuestion(exchange, failed == null ? 0 : failed.number());
        } else if (failed != null && FailurePage.hides(failed, exchange.head())) {
            FailurePage.answer(exchange, failed);
        } else {
            next.handle(exchange);
        }
    }

    // ---- scans

    /** Requests a scan of the files by a worker. No effect if a scan runs or is due. Thread: any. */
    void wantLook() {
        // If a scan runs, this has no effect. When that scan ends, afterScan() repeats it for requests that wait.
        beginScanning(Scanning.NOT);
    }

    private void beginScanning(Scanning expected) {
        synchronized (this) {
            if (scanning != expected || activity == Activity.ENDED) {
                return;
            }
            scanning = Scanning.DUE;
        }
        server.onWorker(this::scan);
    }

    private void scan() {
        Scanning next = Scanning.DUE;
        while (next == Scanning.DUE) {
            beginScan();
            boolean settled = true;
            try {
                settled = scanOnce();
            } catch (RuntimeException | Error e) {
                // A failed scan ends in QUIET. In another state, requests would wait for ever.
                become(Activity.QUIET);
                log.error("{}: its files could not be scanned", tree.named(), e);
            }
            servedAfterScan(settled).forEach(Runnable::run);
            next = afterScan();
        }
        if (next == Scanning.PAUSE) {
            server.after(pause(), () -> beginScanning(Scanning.PAUSE));
        }
    }

    /** The pause before the next scan. It is long if no request waits, or if scans take long. */
    private Duration pause() {
        Duration ofScan = Duration.ofNanos(scanNanos).multipliedBy(PAUSE_PER_SCAN);
        if (activity() == Activity.UNSETTLED || ofScan.compareTo(LONG_PAUSE) > 0) {
            return LONG_PAUSE;
        }
        return ofScan.compareTo(SHORT_PAUSE) > 0 ? ofScan : SHORT_PAUSE;
    }

    private synchronized void beginScan() {
        before = waiting;
        waiting = new ArrayList<>();
    }

    /**
     * The requests to serve after this scan: those that arrived before the scan began. If the files are not settled, these requests wait
     * for another scan.
     */
    private synchronized List<Runnable> servedAfterScan(boolean settled) {
        List<Runnable> these = before;
        before = new ArrayList<>();
        if (settled || activity == Activity.ENDED) {
            return these;
        }
        waiting.addAll(0, these);
        return List.of();
    }

    /** Decides what follows this scan. If requests have arrived during the scan, another scan is due at once. */
    private synchronized Scanning afterScan() {
        boolean changing = activity == Activity.CHANGING || activity == Activity.UNSETTLED;
        if (!waiting.isEmpty() && activity != Activity.CHANGING) {
            scanning = Scanning.DUE;
        } else {
            scanning = changing ? Scanning.PAUSE : Scanning.NOT;
        }
        return scanning;
    }

    /** Scans the files once. Returns whether the requests that arrived before the scan may be served. */
    private boolean scanOnce() {
        long begun = clock.nanos();
        SourceChanges.Look found = changes.look();
        scanNanos = clock.nanos() - begun;
        if (found instanceof SourceChanges.Look.Changed changed) {
            return reload(changed.files());
        }
        if (found instanceof SourceChanges.Look.Restless restless) {
            return stillChanging(restless.what());
        }
        become(Activity.QUIET);
        return true;
    }

    private boolean stillChanging(String what) {
        Activity now = activity();
        if (now == Activity.QUIET) {
            changingSince = clock.nanos();
            become(Activity.CHANGING);
        } else if (now == Activity.CHANGING && clock.nanos() - changingSince > Saturated.nanos(LONGEST)) {
            become(Activity.UNSETTLED);
            log.warn(
                    "{}: not reloaded for {} s, because its files still change: {}. Requests go to the former version",
                    tree.named(),
                    LONGEST.toSeconds(),
                    what);
        }
        return activity() == Activity.UNSETTLED;
    }

    private boolean reload(SourceChanges.Files files) {
        if (activity() == Activity.QUIET) {
            changingSince = clock.nanos();
        }
        become(Activity.RELOADING);
        Version version;
        try {
            version = Version.of(files, temporary, serving);
            if (!changes.areStill(files)) {
                version.close();
                throw new IOException("files have changed while they were copied");
            }
        } catch (IOException e) {
            changes.interrupted();
            become(Activity.CHANGING);
            return stillChanging(e.toString());
        }
        String what = changes.differenceTo(files);
        changes.made(files);
        try {
            reload(version, what);
        } finally {
            become(Activity.QUIET);
        }
        return true;
    }

    private void reload(Version version, String what) {
        long begun = clock.nanos();
        RunningStart start = new RunningStart();
        starts(start);
        server.after(LONGEST, () -> overdue(start));
        try {
            server.deploy(
                    new ApplicationContent(tree.named(), version.path(), tree.folders(), PARAMETERS, version), start);
            boolean first = serving == null && failures == 0;
            serving = version;
            failure = null;
            if (!first) {
                log.info(
                        "Reloaded {} in {} ms: {}",
                        place,
                        Saturated.millis(Duration.ofNanos(clock.nanos() - begun)),
                        what);
            }
        } catch (DeploymentException | RuntimeException e) {
            failed(e);
            closeFailed(version);
        } finally {
            starts(null);
        }
    }

    private synchronized void starts(@Nullable RunningStart start) {
        starting = start;
    }

    /** If this start still runs, it has taken too long: requests no longer wait for it. */
    private void overdue(RunningStart start) {
        Activity now;
        synchronized (this) {
            if (starting != start) {
                return;
            }
            if (activity == Activity.RELOADING) {
                activity = Activity.OVERDUE;
            }
            now = activity;
        }
        log.warn(
                "{}: the start has taken {} s so far, and may hang.{}",
                tree.named(),
                LONGEST.toSeconds(),
                now == Activity.OVERDUE ? " Requests go to the former version until it has started" : "",
                start.stack());
        if (now == Activity.OVERDUE) {
            takeAll().forEach(Runnable::run);
        }
    }

    private void closeFailed(Version version) {
        try {
            version.close();
        } catch (IOException e) {
            log.warn("{} cannot be deleted: {}", version.path(), e.toString());
        }
    }

    private void failed(Exception e) {
        failures++;
        FailedVersion failed = FailedVersion.of(
                failures,
                place,
                tree.named().toString(),
                e,
                serving == null ? FailedVersion.Former.NONE : FailedVersion.Former.SERVES);
        failure = failed;
        log.error(
                "Does not start: {}{}",
                failed.reason(),
                serving == null ? "" : "; its former version stays in service",
                e instanceof DeploymentException ? e.getCause() : e);
    }

    private synchronized Activity activity() {
        return activity;
    }

    private synchronized void become(Activity next) {
        if (activity != Activity.ENDED) {
            activity = next;
        }
    }

    /** The server ends: serves the waiting requests. Thread: any. */
    void close() {
        synchronized (this) {
            activity = Activity.ENDED;
        }
        takeAll().forEach(Runnable::run);
    }

    private synchronized List<Runnable> takeAll() {
        List<Runnable> all = before;
        all.addAll(waiting);
        before = new ArrayList<>();
        waiting = new ArrayList<>();
        return all;
    }
}
