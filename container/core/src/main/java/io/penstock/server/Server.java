package io.penstock.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.admin.LimitTable;
import io.penstock.admin.Watched;
import io.penstock.certificates.ServerCertificates;
import io.penstock.challenges.HttpChallenges;
import io.penstock.context.OpenWebSockets;
import io.penstock.context.WebContext;
import io.penstock.deploy.Applications;
import io.penstock.deploy.DeploymentException;
import io.penstock.develop.Developments;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.limits.Deploying.Webapps;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.Timeouts;
import io.penstock.memory.CollectionWatch;
import io.penstock.memory.DetachedThread;
import io.penstock.memory.MemoryWatch;
import io.penstock.metrics.RequestMetrics;
import io.penstock.metrics.ServerFigures;
import io.penstock.reactor.ListenException;
import io.penstock.time.Saturated;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The life cycle of one server. Starts the parts of the server in order, and ends them in reverse order.
 *
 * <p>Thread: one thread starts the server. Any thread can stop or query the server. Owns: the parts with all their threads, and the
 * scheduled tasks.
 *
 * <pre>
 *   NEW --start--> RUNNING --stop--> STOPPING --> STOPPED
 *    |              ^  |  \--drain--> DRAINING --suspend--+
 *    |              |  +--suspend--> SUSPENDED <-----------+
 *    |              +-----resume--------|
 *    +--prepare--> PREPARED --resume--> RUNNING
 *   any state: a step of the start fails, or stop --> STOPPED
 * </pre>
 */
public final class Server {
    private static final Logger LOG = ServerLog.logger();
    private static final Duration EXPIRY = Duration.ofSeconds(10);

    /** The time between two checks whether a new certificate must be ordered. */
    private static final Duration ORDERS = Duration.ofSeconds(10);

    /** The interval between two checks whether an OCSP responder must be asked. New certificates get no staple for this time. */
    private static final Duration STAPLES = Duration.ofSeconds(2);

    /** The time between two checks whether requests are running, during {@link #drain}. */
    private static final Duration CHECK = Duration.ofMillis(20);

    private final Assembly parts;
    private final Transport transport;
    private final Applications applications;
    private final Reload reload;
    private final List<Future<?>> periodic = new ArrayList<>();
    private @Nullable Management management;
    private volatile String adminUrl = "";
    // Written only under the monitor of this object.
    private volatile State state = State.NEW;

    /** The running {@link #drain}, or null. The next {@link #suspend} or {@link #stop} ends it. */
    @GuardedBy("this")
    private @Nullable Drain drain;

    private enum State {
        NEW,
        /** The applications are initialised. The server does not listen. */
        PREPARED,
        RUNNING,
        /** The server stops listening after a delay. Requests that have begun are completed. */
        DRAINING,
        /** The server does not listen. The applications stay deployed. */
        SUSPENDED,
        STOPPING,
        STOPPED
    }

    /** @param parts the parts of the server. From now on this object owns them */
    public Server(Assembly parts) {
        this.parts = parts;
        this.transport = parts.transport();
        this.applications = parts.applications();
        this.reload = new Reload(parts);
    }

    // ---- start

    /** The last step of the start before the server listens. */
    @FunctionalInterface
    public interface BeforeListening {
        void run() throws ServerStartException;
    }

    /** Like {@link #start(List, DeploymentFailurePolicy, BeforeListening)}, without a last step. */
    public void start(List<Applications.Deployable> wanted, DeploymentFailurePolicy policy)
            throws ServerStartException {
        start(wanted, policy, () -> {});
    }

    /** Deploys and starts the applications in order, then accepts connections. */
    public synchronized void start(
            List<Applications.Deployable> wanted, DeploymentFailurePolicy policy, BeforeListening beforeListening)
            throws ServerStartException {
        step(() -> {
            open();
            deployAll(wanted, policy);
            beforeListening.run();
        });
        accept();
    }

    /**
     * Makes the applications, and runs their initialisers and context listeners on the calling thread. The server does not listen before
     * {@link #resume}.
     */
    public synchronized void prepare(List<Applications.Deployable> wanted) throws ServerStartException {
        step(() -> {
            open();
            for (Applications.Deployable application : wanted) {
                applications.prepare(application);
            }
        });
        state = State.PREPARED;
    }

    /**
     * Makes the server listen: for the first time after {@link #prepare}, or again after {@link #suspend}. Before the server listens for
     * the first time, the filters and the servlets that load on startup are started. The method has no effect if the server listens
     * already.
     *
     * @throws ServerStartException if an application does not start, or an address cannot be bound. If this was the first start after
     *     {@code prepare}, the server is stopped
     * @throws IllegalStateException if the server has not been prepared, is being drained, or has ended
     */
    public synchronized void resume() throws ServerStartException {
        switch (state) {
            case RUNNING -> LOG.debug("The server has been started already");
            case PREPARED -> {
                step(() -> {
                    applications.beginPrepared();
                    deployAll(List.of(), DeploymentFailurePolicy.NOBODY_SERVES);
                    parts.bind();
                });
                accept();
            }
            case SUSPENDED -> {
                try {
                    transport.resume();
                    parts.bound();
                } catch (ListenException e) {
                    throw new ServerStartException(String.valueOf(e.getMessage()), e);
                }
                state = State.RUNNING;
            }
            case NEW, DRAINING, STOPPING, STOPPED ->
                throw new IllegalStateException("the server cannot listen: " + state);
        }
    }

    /** A step of the start. */
    @FunctionalInterface
    private interface Step {
        void run() throws ServerStartException, DeploymentException;
    }

    /** Runs a step of the start. If the step fails, stops the server. */
    private void step(Step step) throws ServerStartException {
        try {
            step.run();
        } catch (DeploymentException e) {
            stop();
            throw new ServerStartException(String.valueOf(e.getMessage()), e, e.unforeseen() != null);
        } catch (ServerStartException | RuntimeException | Error e) {
            stop();
            throw e;
        }
    }

    private void open() throws ServerStartException {
        if (parts.orders() != null) {
            parts.orders().open();
        }
        periodic.addAll(parts.observers().start(transport.scheduler()));
        transport.startWorkers();
    }

    private void accept() {
        transport.start();
        if (parts.role() == Assembly.Role.SERVER) {
            management = Management.register(() -> new ServerBean(this), addresses());
        }
        startPeriodic();
        if (management != null) {
            management.await();
        }
        state = State.RUNNING;
    }

    private void deployAll(List<Applications.Deployable> wanted, DeploymentFailurePolicy policy)
            throws DeploymentException {
        List<DeploymentException> failures = deploy(wanted, policy);
        parts.develop();
        if (parts.webapps() != null) {
            parts.webapps().open();
        }
        if (contexts().isEmpty() && !failures.isEmpty()) {
            failures.subList(1, failures.size()).forEach(Server::log);
            // No application can be served, so the start fails.
            throw failures.get(0);
        }
        failures.forEach(Server::log);
    }

    private static void log(DeploymentException failure) {
        LOG.error("Not served: {}", failure.getMessage(), failure.unforeseen());
    }

    /** Deploys the applications. With {@link DeploymentFailurePolicy#OTHERS_SERVE}, returns the failures. */
    private List<DeploymentException> deploy(List<Applications.Deployable> wanted, DeploymentFailurePolicy policy)
            throws DeploymentException {
        List<DeploymentException> failures = new ArrayList<>();
        for (Applications.Deployable application : wanted) {
            try {
                applications.deploy(application, null);
            } catch (DeploymentException e) {
                if (policy == DeploymentFailurePolicy.NOBODY_SERVES) {
                    throw e;
                }
                failures.add(e);
            }
        }
        return failures;
    }

    private void startPeriodic() {
        // The admin port is a second server in the same JVM. Only the main server watches the garbage collections.
        if (parts.role() == Assembly.Role.SERVER) {
            periodic.add(transport.scheduler().every(CollectionWatch.interval(), CollectionWatch.task(parts.memory())));
        }
        periodic.add(transport.scheduler().every(EXPIRY, this::expireSessions));
        ServerConfig config = ServerConfig.of(configuration());
        ServerCertificates certificates = parts.certificates();
        CertificateOrders orders = parts.orders();
        if (orders != null) {
            orders.look();
            periodic.add(transport.scheduler().every(ORDERS, orders::look));
        }
        Duration reload = config.tls().reloadInterval();
        if (certificates != null && !reload.isZero()) {
            Runnable look = new OnWorker(transport.queue(), "a look at the files of certificates", certificates::look);
            periodic.add(transport.scheduler().every(reload, look));
        }
        if (certificates != null && certificates.isStapling()) {
            Runnable ask = () -> certificates.askResponders(Server::onThreadOfItsOwn);
            ask.run();
            periodic.add(transport.scheduler().every(STAPLES, ask));
        }
        Webapps folder = config.webapps();
        if (parts.webapps() != null && !folder.interval().isZero()) {
            periodic.add(transport.scheduler().every(folder.interval(), parts.webapps()::scan));
        }
    }

    /** Runs a task that waits for an OCSP responder. The end of the process does not wait for it. */
    private static void onThreadOfItsOwn(Runnable task) {
        Thread thread = DetachedThread.of(task, "ocsp");
        thread.setDaemon(true);
        thread.start();
    }

    /** Removes expired sessions. Thread: the scheduler. Listeners of the applications are called on a worker. */
    private void expireSessions() {
        contexts().forEach(context -> context.sessions().expire());
    }

    // ---- stop

    /**
     * Drains the server. {@link #isReady} becomes false at once. After {@code shutdown-delay}, the server stops listening. Then the method
     * waits for the end of the requests that run or have begun to arrive. The caller then calls {@link #suspend} or {@link #stop}. If
     * another thread calls {@code suspend} or {@code stop} during the wait, the wait ends.
     *
     * @return true if no request is running. False if requests run after {@code patience}, or if another thread has ended the wait. The
     *     running requests continue
     * @throws InterruptedException if the thread is interrupted. The interrupt ends the wait. If the thread was interrupted before the
     *     call, the call changes nothing
     */
    public boolean drain(Duration patience) throws InterruptedException {
        Drain own = new Drain();
        synchronized (this) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (state != State.RUNNING) {
                return true;
            }
            state = State.DRAINING;
            drain = own;
        }
        long deadline = System.nanoTime() + Saturated.nanos(patience);
        // During this delay, load balancers notice that the server is not ready.
        if (own.awaitOver(ServerConfig.of(configuration()).timeouts().shutdownDelay())) {
            return false;
        }
        if (!runUnlessOver(own, transport::closePort)) {
            return false;
        }
        transport.connections().open().awaitNone(transport.idleUntil(deadline), own::isOver);
        return runUnlessOver(own, transport::closeIdle)
                && transport.connections().open().awaitNone(deadline, own::isOver)
                && awaitCalls(deadline, own);
    }

    /** A step of a drain. */
    @FunctionalInterface
    private interface EndStep {
        void run() throws InterruptedException;
    }

    /**
     * Runs the step if the drain is not over. After the end of the drain, the server may be listening again. The step would then stop a
     * server that is in service.
     */
    private synchronized boolean runUnlessOver(Drain own, EndStep step) throws InterruptedException {
        if (own.isOver()) {
            return false;
        }
        step.run();
        return true;
    }

    /**
     * Waits until no application has a running request. A request can run after its client has disconnected, without a connection. The
     * application must not be stopped during such a request.
     */
    private boolean awaitCalls(long deadline, Drain own) throws InterruptedException {
        while (contexts().stream().anyMatch(context -> context.inFlight().count() > 0)) {
            if (deadline - System.nanoTime() <= 0 || own.awaitOver(CHECK)) {
                return false;
            }
        }
        return !own.isOver();
    }

    @GuardedBy("this")
    private void endDrain() {
        if (drain != null) {
            drain.end();
            drain = null;
            transport.connections().open().recheck();
        }
    }

    /**
     * Stops listening, and answers 503 to requests without a response. The applications stay deployed. {@link #resume} listens again. A
     * second call has no effect.
     */
    public synchronized void suspend() {
        if (state != State.RUNNING && state != State.DRAINING) {
            return;
        }
        state = State.SUSPENDED;
        endDrain();
        try {
            transport.suspend();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Ends the requests, and then the applications. The application that was started last is stopped first. A second call has no effect.
     */
    public synchronized void stop() {
        if (state == State.STOPPED) {
            return;
        }
        endDrain();
        boolean interrupted = false;
        Duration patience = Duration.ZERO;
        long begun = System.nanoTime();
        boolean tells = state == State.RUNNING && parts.role() == Assembly.Role.SERVER;
        if (state == State.RUNNING) {
            Timeouts timeouts = ServerConfig.of(configuration()).timeouts();
            if (tells) {
                LOG.info(
                        "Stopping: requests that run have {} ms to end",
                        Saturated.millis(timeouts.shutdownDelay().plus(timeouts.shutdown())));
            }
            state = State.STOPPING;
            interrupted = !awaitDelay(timeouts.shutdownDelay());
            patience = interrupted ? Duration.ZERO : timeouts.shutdown();
        }
        interrupted |= endParts(patience);
        if (tells) {
            LOG.info("Stopped after {} ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all parts. Returns whether the thread was interrupted. */
    @GuardedBy("this")
    private boolean endParts(Duration patience) {
        EndSteps steps = new EndSteps(LOG);
        steps.run("The scheduled tasks were", () -> periodic.forEach(task -> task.cancel(false)));
        CertificateOrders orders = parts.orders();
        if (orders != null) {
            steps.run("The orders of certificates were", orders::close);
        }
        Management bean = management;
        if (bean != null) {
            steps.run("The bean of the server was", bean::close);
        }
        Developments developments = parts.developments();
        if (developments != null) {
            steps.run("The developed applications were", developments::close);
        }
        steps.run("A port was", () -> transport.stop(patience));
        state = State.STOPPED;
        steps.run("The access logs were", parts.observers()::close);
        steps.run("The applications were", applications::stop);
        steps.run("The compressors were", parts.compressors()::close);
        steps.run("The sessions' directory or stores were", parts.sessions()::close);
        return steps.wereInterrupted();
    }

    /**
     * Waits while the server continues to serve. During this delay, load balancers notice that the server is not ready. Returns false if
     * the thread was interrupted.
     */
    private static boolean awaitDelay(Duration delay) {
        if (delay.isZero()) {
            return true;
        }
        LOG.info("No longer ready; connections are accepted for {} ms more", Saturated.millis(delay));
        try {
            Thread.sleep(Saturated.millis(delay));
            return true;
        } catch (InterruptedException e) {
            // The caller stops without waiting, and sets the interrupt flag again.
            return false;
        }
    }

    // ---- queries

    /**
     * Whether the server is ready for requests. It is ready after the start, until a drain, a suspension or the stop begins. Thread: any.
     * Does not wait.
     */
    public boolean isReady() {
        return state == State.RUNNING;
    }

    /** Whether the server has been stopped, by {@link #stop} or by a failed start. Thread: any. Does not wait. */
    public boolean hasEnded() {
        return state == State.STOPPED;
    }

    /** Whether the server is ready. If the server is not ready, the result shows the reason. */
    Watched.Health health() {
        return switch (state) {
            case NEW, PREPARED -> Watched.Health.STARTING;
            case RUNNING -> Watched.Health.READY;
            case DRAINING, SUSPENDED, STOPPING, STOPPED -> Watched.Health.ENDING;
        };
    }

    /** The addresses of the listeners, as {@link Transport#addresses} returns them. */
    public List<SocketAddress> addresses() {
        return parts.addresses();
    }

    /** The addresses at which clients speak TLS. */
    public Set<SocketAddress> secureAddresses() {
        return parts.secureAddresses();
    }

    /**
     * The first of the server's network addresses.
     *
     * @throws IllegalStateException if the server listens at Unix domain sockets only
     */
    public InetSocketAddress address() {
        for (SocketAddress address : addresses()) {
            if (address instanceof InetSocketAddress inet) {
                return inet;
            }
        }
        throw new IllegalStateException("The server has no network address: " + addresses());
    }

    /** The certificates, or null for a server without TLS. */
    public @Nullable ServerCertificates certificates() {
        return parts.certificates();
    }

    /** The address of the listener that redirects to HTTPS, if there is one. */
    public Optional<InetSocketAddress> redirectAddress() {
        return Optional.ofNullable(parts.redirectAddress());
    }

    /** The open challenges of ACME. The listener that redirects to HTTPS answers them. */
    public HttpChallenges challenges() {
        return parts.challenges();
    }

    public Configuration configuration() {
        return parts.configuration();
    }

    MemoryWatch memory() {
        return parts.memory();
    }

    public Counters counters() {
        return parts.counters();
    }

    /** The metrics of requests, or null if they are off. */
    @Nullable
    RequestMetrics metrics() {
        return parts.observers().metrics();
    }

    OpenWebSockets webSockets() {
        return parts.webSockets();
    }

    public ServerFigures figures() {
        return new ServerFigures(
                this::configuration,
                counters(),
                transport.gauges(),
                transport.bulkheads(),
                transport::mappings,
                parts.observers().closes(),
                webSockets()::ended,
                metrics());
    }

    public GaugeSources gaugeSources() {
        return parts.gaugeSources();
    }

    /** Sets the URL of the flow board for JMX. Called before the start. */
    public void adminUrl(String url) {
        adminUrl = url;
    }

    /** The URL of the flow board; empty if there is no admin port. */
    String adminUrl() {
        return adminUrl;
    }

    /** Opens the file of the access log again by its name, after the former file has been moved. Thread: any. Does not wait. */
    public void reopenLogs() {
        parts.observers().reopenLogs();
    }

    /**
     * Reads the files of certificates and keys at once. If the files have changed, new connections use the new certificates.
     *
     * @return a text that describes the result
     */
    public String reloadCertificates() {
        ServerCertificates certificates = parts.certificates();
        if (certificates == null) {
            return "this server has no certificates";
        }
        return switch (certificates.reload()) {
            case DONE -> "new connections get the new certificates";
            case UNCHANGED -> "the files have not changed";
            case FAILED -> "the files cannot be used, and the former certificates stay in use; the log has the reason";
        };
    }

    /**
     * Reads users, certificates and rules again. Also uses the new values of the settings that can change while the server runs. If a
     * setting or a file is wrong, nothing changes. The method can wait for the disk.
     *
     * @param wanted all settings, with their new values
     * @return the names of the changed settings that need a restart
     * @throws RefusedReloadException if a setting or a file is wrong. The message names the error. Nothing has changed in this case
     */
    public List<String> reload(Configuration wanted) throws RefusedReloadException {
        synchronized (reload) {
            return reload.run(wanted);
        }
    }

    public Transport transport() {
        return transport;
    }

    /** The applications of the server. Applications can be deployed and undeployed while the server runs. */
    public Applications applications() {
        return applications;
    }

    public List<WebContext> contexts() {
        return parts.contexts().all();
    }

    /** Returns the server's current activity as text for people. Takes at most one second. */
    public String dump() {
        return transport.dump()
                + ServerDump.webSockets(webSockets().count(), webSockets().slowest(Watched.SLOW_WEB_SOCKETS))
                + LimitTable.of(configuration(), counters());
    }
}
