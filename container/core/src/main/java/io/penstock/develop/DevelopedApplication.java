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
 * One application in development. Before a request is served, unless it is for a file only, a worker looks for changed files. So the
 * request gets the version that was current when it arrived. While files change or a new version starts, all requests wait, but they occupy
 * no workers.
 *
 * <pre>
 *             +--the same content------------------------+
 *             v                                          |
 *   QUIET --a look finds other files--> CHANGING --at rest, other content--> RELOADING --started, or failed--> QUIET
 *                                          |  ^
 *                    for longer than LONGEST  |
 *                                          v  |
 *                                       UNSETTLED, in which no request waits
 *
 *   RELOADING --for longer than LONGEST--> OVERDUE, in which no request waits --started, or failed--> QUIET
 * </pre>
 *
 * <p>Thread: {@link #arrive}: workers. Looks: one worker at a time. {@link #wantLook}: any. The failure of a version is logged, and shown
 * by {@link FailurePage}.
 */
final class DevelopedApplication {
    private static final Logger LOG = LoggerFactory.getLogger(DevelopedApplication.class);

    /** The longest time for which requests wait: for files that keep changing, and for a version that starts. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** The pause between two looks while files change and requests wait. */
    static final Duration SHORT_PAUSE = Duration.ofMillis(50);

    /** The pause when the files have changed for so long that no request waits any more. */
    static final Duration LONG_PAUSE = Duration.ofSeconds(1);

    /**
     * The factor between a look and the pause after it, if a look takes long because of many files. The pause never exceeds {@link
     * #LONG_PAUSE}.
     */
    private static final int PAUSE_PER_LOOK = 4;

    /**
     * With these parameters, each request looks for changes of its page, and clients see the errors of pages and the exceptions of
     * servlets.
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

    /** The requests that wait for the next look. */
    @GuardedBy("this")
    private List<Runnable> waiting = new ArrayList<>();

    /** The requests that came before the current look began. */
    @GuardedBy("this")
    private List<Runnable> before = new ArrayList<>();

    /** The start of a version, while it runs. */
    @GuardedBy("this")
    private @Nullable RunningStart starting;

    @GuardedBy("this")
    private Activity activity = Activity.QUIET;

    @GuardedBy("this")
    private Looking looking = Looking.NOT;

    /** When the activity left QUIET. Only the looking thread uses it. */
    private long restlessSince;

    /** The duration of the last look. Only the looking thread uses it. */
    private long lookNanos;

    /** The version that serves requests. Only the looking thread uses it. */
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

    private enum Looking {
        NOT,
        /** A timer will start a worker's look after a pause. */
        PAUSE,
        /** A worker looks, or will look soon. */
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

        /** Deploys a context without content, so that requests reach this object and can be answered with the failure. */
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
     * Deploys the first version. If it fails, deploys a context without content; then requests are answered with the failure.
     *
     * @throws DeploymentException if the first folder does not exist, or if the server ends
     */
    void open() throws DeploymentException {
        for (Path folder : tree.folders()) {
            if (!Files.isDirectory(folder)) {
                if (folder.equals(tree.named())) {
                    throw new DeploymentException(folder + ": no such folder");
                }
                log.info("{} does not exist. The next version has its files when it exists", folder);
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

    /** Serves the request now, or after a look at the files. Thread: the request's worker. */
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

    // ---- looks

    /** Lets a worker look at the files, unless a worker looks already or will look soon. Any thread. */
    void wantLook() {
        beginLooking(Looking.NOT); // no effect while a look runs: afterLook() repeats it for waiting requests
    }

    private void beginLooking(Looking expected) {
        synchronized (this) {
            if (looking != expected || activity == Activity.ENDED) {
                return;
            }
            looking = Looking.DUE;
        }
        server.onWorker(this::look);
    }

    private void look() {
        Looking next = Looking.DUE;
        while (next == Looking.DUE) {
            beginLook();
            boolean settled = true;
            try {
                settled = lookOnce();
            } catch (RuntimeException | Error e) {
                become(Activity.QUIET); // or requests would wait for ever
                log.error("{}: its files could not be looked at", tree.named(), e);
            }
            servedAfterLook(settled).forEach(Runnable::run);
            next = afterLook();
        }
        if (next == Looking.PAUSE) {
            server.after(pause(), () -> beginLooking(Looking.PAUSE));
        }
    }

    /** The pause is long if no request waits, or if looks take long. */
    private Duration pause() {
        Duration ofLook = Duration.ofNanos(lookNanos).multipliedBy(PAUSE_PER_LOOK);
        if (activity() == Activity.UNSETTLED || ofLook.compareTo(LONG_PAUSE) > 0) {
            return LONG_PAUSE;
        }
        return ofLook.compareTo(SHORT_PAUSE) > 0 ? ofLook : SHORT_PAUSE;
    }

    private synchronized void beginLook() {
        before = waiting;
        waiting = new ArrayList<>();
    }

    /**
     * The requests to serve after this look: they came before it began. If the files are not settled, these requests wait for another look.
     */
    private synchronized List<Runnable> servedAfterLook(boolean settled) {
        List<Runnable> these = before;
        before = new ArrayList<>();
        if (settled || activity == Activity.ENDED) {
            return these;
        }
        waiting.addAll(0, these);
        return List.of();
    }

    /** If requests have come during this look, another look is due at once. */
    private synchronized Looking afterLook() {
        boolean restless = activity == Activity.CHANGING || activity == Activity.UNSETTLED;
        if (!waiting.isEmpty() && activity != Activity.CHANGING) {
            looking = Looking.DUE;
        } else {
            looking = restless ? Looking.PAUSE : Looking.NOT;
        }
        return looking;
    }

    /** Looks at the files; returns whether the requests that came before may be served. */
    private boolean lookOnce() {
        long begun = clock.nanos();
        SourceChanges.Look found = changes.look();
        lookNanos = clock.nanos() - begun;
        if (found instanceof SourceChanges.Look.Changed changed) {
            return reload(changed.files());
        }
        if (found instanceof SourceChanges.Look.Restless restless) {
            return restless(restless.what());
        }
        become(Activity.QUIET);
        return true;
    }

    private boolean restless(String what) {
        Activity now = activity();
        if (now == Activity.QUIET) {
            restlessSince = clock.nanos();
            become(Activity.CHANGING);
        } else if (now == Activity.CHANGING && clock.nanos() - restlessSince > Saturated.nanos(LONGEST)) {
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
            restlessSince = clock.nanos();
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
            return restless(e.toString());
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

    /** If this start still runs, requests no longer wait for it. */
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
                "{}: it has been starting for {} s, and may hang.{}",
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

    /** Ends with the server: serves the waiting requests. Any thread. */
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
