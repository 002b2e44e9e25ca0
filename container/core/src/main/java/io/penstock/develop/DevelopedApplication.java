package io.penstock.develop;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.deploy.ApplicationContent;
import io.penstock.deploy.DeploymentException;
import io.penstock.deploy.RunningStart;
import io.penstock.dispatch.LoggedCause;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.part.LogLines;
import io.penstock.request.StackTraces;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One application in development. Before a request is served, a worker scans the files for changes. So each request is served by a version
 * that includes all changes before the arrival of the request. Requests for plain files do not wait for a scan. If the last version did not
 * start, all requests wait for a scan. While files change or a new version starts, all requests wait. Waiting requests do not occupy
 * workers.
 *
 * <pre>
 *             +--the same content------------------------+
 *             v                                          |
 *   QUIET --a scan finds other files--> CHANGING --files complete, other content--> RELOADING --started, or failed--> QUIET
 *                                        |  ^  |
 *                    for longer than LONGEST|  classes gone for longer than LONGEST
 *                                        v  |  v
 *                                  UNSETTLED  GONE --a class is back--> CHANGING
 *
 * UNSETTLED: requests do not wait. GONE: requests wait for a scan, as in QUIET.
 *
 *   RELOADING --for longer than LONGEST--> OVERDUE (requests do not wait) --started, or failed--> QUIET
 * </pre>
 *
 * <p>If sources do not compile, or a version does not start, the failure is logged, and {@link FailurePage} shows the failure. If all
 * classes of the application or of a library have gone, a build has failed or still runs: {@link FailurePage} says so at once, and other requests wait.
 *
 * <p>Thread: workers call {@link #arrive}. Only one worker at a time scans the files. Any thread can call {@link #requestScan}.
 */
final class DevelopedApplication {
    private static final Logger LOG = LoggerFactory.getLogger(DevelopedApplication.class);

    /** The longest time that requests wait for changing files, or for the start of a version. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** The pause between two scans while files change and requests wait. */
    static final Duration SHORT_PAUSE = Duration.ofMillis(50);

    /** The pause between two scans in the state {@link Activity#UNSETTLED}. */
    static final Duration LONG_PAUSE = Duration.ofSeconds(1);

    /**
     * The factor for the pause after a scan: the pause is this factor times the duration of the scan. It is never longer than {@link
     * #LONG_PAUSE}.
     */
    private static final int PAUSE_PER_SCAN = 4;

    /** The same factor if no requests wait. */
    private static final int PAUSE_PER_IDLE_SCAN = 20;

    /**
     * Init parameters of the context. With these parameters, each request for a JSP page checks the page for changes. Clients see the
     * errors of pages and the exceptions of servlets.
     */
    private static final Map<String, String> PARAMETERS = Map.of(
            "penstock.jsp.modificationTestInterval", "0",
            "penstock.jsp.show-errors", "true",
            "penstock.show-exceptions", "true");

    private final String location;
    private final SourceTree tree;
    private final SourceChanges changes;
    private final SourceCompiler compiler;
    private final Clock clock;
    private final @Nullable Path temporary;
    private final ExchangeHandler next;
    private final Surroundings server;
    private final Logger log;

    /** The requests that wait for the next scan. */
    @GuardedBy("this")
    private List<Exchange> waiting = new ArrayList<>();

    /** The requests that had arrived when the current scan began. */
    @GuardedBy("this")
    private List<Exchange> before = new ArrayList<>();

    /** The running start of a version, or null. */
    @GuardedBy("this")
    private @Nullable RunningStart starting;

    @GuardedBy("this")
    private Activity activity = Activity.QUIET;

    @GuardedBy("this")
    private Scanning scanning = Scanning.NOT;

    /** The time of the last change of {@code activity} from {@code QUIET} to another state. Only the scanning thread uses this field. */
    private long changingSince;

    /** The duration of the last scan. */
    private volatile long scanNanos;

    /** The end of the last scan. */
    private volatile long scannedAt;

    /** The version that serves requests. Only the scanning thread uses this field. */
    private @Nullable Version serving;

    private int failures;
    private volatile @Nullable FailedVersion failure;

    /** Set while classes are gone. Shown instead of {@code failure}. */
    private volatile @Nullable FailedVersion gone;

    private enum Activity {
        QUIET,
        CHANGING,
        UNSETTLED,
        GONE,
        RELOADING,
        OVERDUE,
        /** The server ends. Requests do not wait. */
        ENDED
    }

    private enum Scanning {
        NOT,
        /** The scheduler starts the next scan after a pause. */
        PAUSE,
        /** A worker scans the files, or the scan is in the queue of the workers. */
        DUE
    }

    /** The requests that are served after a scan. */
    private enum Served {
        /** The requests that had arrived before the scan. */
        ALL,
        /** Those of them that {@link FailurePage} answers. */
        PAGES,
        NONE
    }

    /** The functions of the server that this class needs. */
    interface Surroundings {
        /**
         * Deploys a version, which replaces the former version. Waits until the new version has started.
         *
         * @param start receives the thread that starts the version: this thread must call {@link RunningStart#begin}
         */
        void deploy(ApplicationContent version, RunningStart start) throws DeploymentException;

        /**
         * Deploys a context without content. With this context, requests for the application reach {@link #arrive}, and can be answered
         * with the failure.
         */
        void deployNothing() throws DeploymentException;

        /** Runs the task on a worker. Does not wait. */
        void onWorker(Runnable task);

        /** Runs the task after a delay, on the scheduler. The task must not wait. */
        void after(Duration delay, Runnable task);
    }

    DevelopedApplication(
            String location,
            SourceTree tree,
            SourceChanges changes,
            Clock clock,
            @Nullable Path temporary,
            ExchangeHandler next,
            Surroundings server) {
        this(location, tree, changes, clock, temporary, next, server, LOG);
    }

    DevelopedApplication(
            String location,
            SourceTree tree,
            SourceChanges changes,
            Clock clock,
            @Nullable Path temporary,
            ExchangeHandler next,
            Surroundings server,
            Logger log) {
        this.log = log;
        this.location = location;
        this.tree = tree;
        this.changes = changes;
        this.clock = clock;
        this.temporary = temporary;
        this.compiler = new SourceCompiler(tree, temporary);
        this.next = next;
        this.server = server;
    }

    // ---- the first version

    /**
     * Deploys the first version. If this version does not start, deploys a context without content, and requests are answered with the
     * failure.
     *
     * @throws DeploymentException if the first folder of the source tree does not exist, or if the server ends
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
        scannedAt = clock.nanos();
        try {
            SourceChanges.Files files = changes.now();
            try {
                Version version = Version.of(compiler.compiled(files, changes.sourcesSeen()), temporary, null);
                changes.made(files);
                reload(version, "");
            } catch (CompilationException e) {
                changes.made(files);
                doesNotCompile(e);
            }
        } catch (IOException e) {
            failed(e);
        }
        if (failure != null) {
            server.deployNothing();
        }
    }

    // ---- requests

    /** Serves the request immediately, or after a scan of the files. Thread: the worker of the request. */
    void arrive(Exchange exchange, Kind kind) throws Exception {
        if (waits(exchange, kind)) {
            requestScan();
        } else {
            serve(exchange);
        }
    }

    /** The kind of a request. */
    enum Kind {
        /** A request for a file. The file is read in its current state. */
        FILE,
        OTHER
    }

    private synchronized boolean waits(Exchange exchange, Kind kind) {
        boolean waits =
                switch (activity) {
                    case QUIET -> kind == Kind.OTHER || failure != null;
                    case GONE -> true;
                    case CHANGING, RELOADING -> true;
                    case UNSETTLED, OVERDUE, ENDED -> false;
                };
        if (waits) {
            waiting.add(exchange);
        }
        return waits;
    }

    private void serveAll(List<Exchange> exchanges) {
        exchanges.forEach(exchange -> exchange.resume(() -> serveLater(exchange)));
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
        FailedVersion failed = shownFailure();
        if (FailurePage.isQuestion(exchange.head())) {
            FailurePage.answerQuestion(exchange, failed == null ? 0 : failed.number());
        } else if (failed != null && FailurePage.hides(failed, exchange.head())) {
            FailurePage.answer(exchange, failed);
        } else {
            next.handle(exchange);
        }
    }

    private @Nullable FailedVersion shownFailure() {
        FailedVersion now = gone;
        return now == null ? failure : now;
    }

    // ---- scans

    /**
     * Requests a scan although no request has arrived, so that the log soon has the failure of a new version. A source tree whose scan takes
     * long is scanned less often. Thread: any.
     */
    void requestScanUnlessBusy() {
        if (clock.nanos() - scannedAt >= scanNanos * PAUSE_PER_IDLE_SCAN) {
            requestScan();
        }
    }

    /** Requests a scan of the files by a worker. No effect if a scan is running or requested. Thread: any. */
    void requestScan() {
        // If a scan is running, this call has no effect. At the end of the running scan, afterScan() requests another
        // scan if requests are waiting.
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
            Served served = Served.ALL;
            try {
                served = scanOnce();
            } catch (RuntimeException | Error e) {
                // After a failed scan, the state must be QUIET. In another state, requests could wait for ever.
                become(Activity.QUIET);
                log.error("{}: its files could not be scanned", tree.named(), e);
            }
            serveAll(servedAfterScan(served));
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
     * Returns those of the requests that had arrived when the scan began that are served after this scan. The others wait for another
     * scan.
     */
    private synchronized List<Exchange> servedAfterScan(Served served) {
        Predicate<Exchange> isServed =
                switch (activity == Activity.ENDED ? Served.ALL : served) {
                    case ALL -> exchange -> true;
                    case PAGES -> this::isForFailurePage;
                    case NONE -> exchange -> false;
                };
        List<Exchange> these = new ArrayList<>();
        List<Exchange> others = new ArrayList<>();
        before.forEach(exchange -> (isServed.test(exchange) ? these : others).add(exchange));
        before = new ArrayList<>();
        waiting.addAll(0, others);
        return these;
    }

    private boolean isForFailurePage(Exchange exchange) {
        FailedVersion shown = shownFailure();
        return FailurePage.isQuestion(exchange.head()) || shown != null && FailurePage.hides(shown, exchange.head());
    }

    /** Decides whether another scan follows this scan. If requests have arrived during the scan, another scan follows at once. */
    private synchronized Scanning afterScan() {
        boolean changing = activity == Activity.CHANGING || activity == Activity.UNSETTLED;
        if (!waiting.isEmpty() && activity != Activity.CHANGING) {
            scanning = Scanning.DUE;
        } else {
            scanning = changing ? Scanning.PAUSE : Scanning.NOT;
        }
        return scanning;
    }

    /** Scans the files once. */
    private Served scanOnce() {
        long begun = clock.nanos();
        SourceChanges.ScanResult found = changes.scan();
        scannedAt = clock.nanos();
        scanNanos = scannedAt - begun;
        if (found instanceof SourceChanges.ScanResult.Changed changed) {
            return reload(changed.files());
        }
        if (found instanceof SourceChanges.ScanResult.Restless restless) {
            return stillChanging(restless.what());
        }
        if (found instanceof SourceChanges.ScanResult.ClassesGone classes) {
            return classesGone(classes.where());
        }
        gone = null;
        become(Activity.QUIET);
        return Served.ALL;
    }

    private Served classesGone(String where) {
        if (gone == null) {
            failures++;
            FailedVersion shown = new FailedVersion(
                    failures,
                    location + " lacks classes",
                    tree.named() + ": all classes of " + where + " are gone. A build has failed, or still runs",
                    StackTraces.none(),
                    former());
            gone = shown;
            log.warn("{}; requests wait for the classes", shown.reason());
        }
        Activity now = activity();
        if (now == Activity.QUIET) {
            changingSince = clock.nanos();
            become(Activity.CHANGING);
        } else if (clock.nanos() - changingSince > Saturated.nanos(LONGEST)) {
            become(Activity.GONE);
        }
        return activity() == Activity.GONE ? Served.ALL : Served.PAGES;
    }

    private Served stillChanging(String what) {
        Activity now = activity();
        if (now == Activity.QUIET || now == Activity.GONE) {
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
        return activity() == Activity.UNSETTLED ? Served.ALL : Served.NONE;
    }

    private Served reload(SourceChanges.Files files) {
        if (activity() == Activity.QUIET) {
            changingSince = clock.nanos();
        }
        become(Activity.RELOADING);
        CompilationException error = null;
        Version version = null;
        try {
            try {
                version = Version.of(compiler.compiled(files, changes.sourcesSeen()), temporary, serving);
            } catch (CompilationException e) {
                error = e;
            }
            if (!changes.areStill(files)) {
                if (version != null) {
                    version.close();
                }
                throw new IOException("files have changed while they were compiled or copied");
            }
        } catch (IOException e) {
            changes.interrupted();
            become(Activity.CHANGING);
            return stillChanging(e.toString());
        }
        String what = changes.differenceTo(files);
        changes.made(files);
        gone = null;
        try {
            if (version == null) {
                doesNotCompile(Objects.requireNonNull(error));
            } else {
                reload(version, what);
            }
        } finally {
            become(Activity.QUIET);
        }
        return Served.ALL;
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
                        location,
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

    /**
     * Called when the time {@link #LONGEST} has passed after the beginning of a start. If this start has not ended, requests stop waiting
     * for the new version.
     */
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
            serveAll(takeAll());
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
        FailedVersion failed = FailedVersion.of(failures, location, loaderName(), e, former());
        failure = failed;
        Throwable cause = e instanceof DeploymentException ? e.getCause() : e;
        log.error(
                "Does not start: {}{}",
                failed.reason(),
                ofFormer(),
                cause == null ? null : LoggedCause.withoutServer(cause, loaderName()));
    }

    private String loaderName() {
        return ApplicationContent.loaderName(tree.named());
    }

    private void doesNotCompile(CompilationException e) {
        failures++;
        String output = String.valueOf(e.getMessage());
        failure = new FailedVersion(
                failures, location + " does not compile", firstError(output), StackTraces.ofLines(output), former());
        log.error("Does not compile: {}{}{}", tree.named(), ofFormer(), new LogLines(output));
    }

    /** The first error in the output of a compiler. Notes and warnings can be before it. */
    private static String firstError(String output) {
        return output.lines()
                .filter(line -> line.contains(".java:") && line.contains("error:"))
                .findFirst()
                .or(() -> output.lines().findFirst())
                .orElse("the compiler has failed");
    }

    private FailedVersion.Former former() {
        return serving == null ? FailedVersion.Former.NONE : FailedVersion.Former.SERVES;
    }

    private String ofFormer() {
        return serving == null ? "" : "; its former version stays in service";
    }

    private synchronized Activity activity() {
        return activity;
    }

    private synchronized void become(Activity next) {
        if (activity != Activity.ENDED) {
            activity = next;
        }
    }

    /** Serves the waiting requests, when the server ends. Thread: any. */
    void close() {
        synchronized (this) {
            activity = Activity.ENDED;
        }
        serveAll(takeAll());
        try {
            compiler.close();
        } catch (IOException e) {
            log.warn("The folder of compiled classes cannot be deleted: {}", e.toString());
        }
    }

    private synchronized List<Exchange> takeAll() {
        List<Exchange> all = before;
        all.addAll(waiting);
        before = new ArrayList<>();
        waiting = new ArrayList<>();
        return all;
    }
}
