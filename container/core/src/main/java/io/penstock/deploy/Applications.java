package io.penstock.deploy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.address.ContextLocation;
import io.penstock.dispatch.ContextTable;
import io.penstock.limits.Counters;
import io.penstock.work.Workers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deploys, replaces and undeploys the applications of a server. A replacement has no downtime. Until the new version has started, new
 * requests go to the former version. Requests that run in the former version are completed there.
 *
 * <p>Thread: any. Only one change runs at a time. Code of applications runs on workers.
 *
 * <p>Owns: the applications in service, and the applications that are being undeployed.
 */
public final class Applications {
    /** The largest number of remembered failures. Without this limit, a program that tries many context paths could fill the memory. */
    private static final int MAX_FAILURES = 1000;

    private final Deployer deployer;
    private final ContextTable table;
    private final ServerThreads threads;
    private final Duration undeployTimeout;
    private final Counters counters;
    private final ReentrantLock changes = new ReentrantLock();

    /** The applications in service by context path, in the order of their deployment. */
    @GuardedBy("this")
    private final Map<String, WebApplication> serving = new LinkedHashMap<>();

    /** The applications that have been initialised by {@link #prepare}. They are not in service before {@link #beginPrepared}. */
    @GuardedBy("this")
    private final List<WebApplication> prepared = new ArrayList<>();

    @GuardedBy("this")
    private final Set<Undeployment> undeployments = new LinkedHashSet<>();

    /** The failed deployments by context path. The latest failure is the last. */
    @GuardedBy("this")
    private final Map<String, FailedDeployment> failures = new LinkedHashMap<>();

    @GuardedBy("this")
    private Availability availability = Availability.OPEN;

    private enum Availability {
        OPEN,
        /** The server has ended. Nothing can be deployed. */
        SHUT_DOWN
    }

    /** Makes an application. Does not start the application. */
    @FunctionalInterface
    public interface Factory {
        WebApplication make(Deployer deployer) throws DeploymentException;
    }

    /**
     * An application that can be deployed.
     *
     * @param location the context path. The constructor converts it to the form that {@link ContextLocation} writes
     * @param source the name of the application in messages for operators: a file, a folder, or a context made in code
     */
    public record Deployable(String location, String source, Factory factory) {
        public Deployable {
            location = ContextLocation.canonical(location);
        }

        /** An application that is a WAR or a folder. */
        public static Deployable of(String location, Path content) {
            return new Deployable(location, content.toString(), deployer -> deployer.deploy(location, content));
        }
    }

    /** @param undeployTimeout the longest time that an undeployment waits for running requests */
    public Applications(
            Deployer deployer, ContextTable table, ServerThreads threads, Duration undeployTimeout, Counters counters) {
        this.deployer = deployer;
        this.table = table;
        this.threads = threads;
        this.undeployTimeout = undeployTimeout;
        this.counters = counters;
    }

    /**
     * Makes and starts an application, and puts it into service. An application with the same context path is replaced. When this method
     * returns, new requests go to the new application. Requests can continue to run in the former application.
     *
     * @throws DeploymentException if the application cannot be made or does not start. The former application stays in service in this case
     */
    public WebApplication deploy(Deployable application) throws DeploymentException {
        return WorkerTask.carryOut(threads.queue(), () -> change(application, made -> {}));
    }

    /**
     * Does the same as {@link #deploy(Deployable)}, but replaces only {@code former}.
     *
     * @throws DeploymentException for the reasons of {@link #deploy(Deployable)}, or because another application than {@code former} has
     *     the context path
     */
    public WebApplication deploy(Deployable application, @Nullable WebApplication former) throws DeploymentException {
        return WorkerTask.carryOut(threads.queue(), () -> change(application, made -> checkPathIsFree(made, former)));
    }

    /** Decides whether an application can be put into service. */
    @FunctionalInterface
    private interface Check {
        void of(WebApplication made) throws DeploymentException;
    }

    private WebApplication change(Deployable application, Check check) throws DeploymentException {
        changes.lock();
        try {
            WebApplication made = change(application.factory(), check);
            forgetFailure(application.location());
            return made;
        } catch (ContentChangedException e) {
            throw e;
        } catch (DeploymentException | RuntimeException | Error e) {
            remember(FailedDeployment.of(application, e));
            throw e;
        } finally {
            changes.unlock();
        }
    }

    /**
     * Makes an application and runs its initialisers and context listeners, on the calling thread. {@link #beginPrepared} puts it into
     * service.
     *
     * @throws DeploymentException if the application cannot be made, if an initialiser or listener fails, or if another application has the
     *     context path
     */
    public void prepare(Deployable application) throws DeploymentException {
        WebApplication made = application.factory().make(deployer);
        try {
            checkPathIsFree(made, null);
        } catch (DeploymentException e) {
            made.stop();
            throw e;
        }
        made.initialise();
        synchronized (this) {
            prepared.add(made);
        }
    }

    /**
     * Starts the prepared applications and puts them into service.
     *
     * @throws DeploymentException if one of the applications does not start
     */
    public void beginPrepared() throws DeploymentException {
        WorkerTask.carryOut(threads.queue(), () -> {
            for (WebApplication next = nextPrepared(); next != null; next = nextPrepared()) {
                next.begin();
                putIntoService(next);
            }
            return true;
        });
    }

    private synchronized @Nullable WebApplication nextPrepared() {
        return prepared.isEmpty() ? null : prepared.remove(0);
    }

    private WebApplication change(Factory factory, Check check) throws DeploymentException {
        WebApplication made = factory.make(deployer);
        WebApplication former;
        try {
            check.of(made);
            start(made);
            former = putIntoService(made);
        } catch (DeploymentException e) {
            made.stop();
            throw e;
        }
        if (former != null) {
            end(former);
        }
        return made;
    }

    private synchronized void remember(FailedDeployment failure) {
        failures.remove(failure.location());
        failures.put(failure.location(), failure);
        if (failures.size() > MAX_FAILURES) {
            failures.remove(failures.keySet().iterator().next());
        }
        reserveHosts();
    }

    /**
     * Removes the failure of a context path from the list of failed deployments. Called after a later deployment has succeeded, or after
     * the application has been removed.
     *
     * @param location the context path, as {@link ContextLocation} writes it
     */
    synchronized void forgetFailure(String location) {
        if (failures.remove(location) != null) {
            reserveHosts();
        }
    }

    /**
     * Reserves the virtual hosts of failed applications in the table of contexts. Otherwise requests for these hosts would go to the
     * default host.
     */
    @GuardedBy("this")
    private void reserveHosts() {
        table.reserve(failures.keySet().stream()
                .map(ContextLocation::read)
                .filter(Objects::nonNull)
                .map(ContextLocation::host)
                .collect(Collectors.toSet()));
    }

    /**
     * The failed deployments. The latest failure is the last. A later successful deployment at the same context path removes the failure
     * from the list.
     */
    public synchronized List<FailedDeployment> failures() {
        return List.copyOf(failures.values());
    }

    private synchronized void checkPathIsFree(WebApplication made, @Nullable WebApplication former)
            throws DeploymentException {
        String location = made.context().name();
        WebApplication present = prepared.stream()
                .filter(other -> other.context().name().equals(location))
                .findFirst()
                .orElse(serving.get(location));
        if (present != null && present != former) {
            throw new DeploymentException("two applications have the context path "
                    + made.context().name() + ": " + present.source() + " and " + made.source());
        }
    }

    private void start(WebApplication made) throws DeploymentException {
        try {
            made.start();
        } catch (DeploymentException | RuntimeException | Error e) {
            // The application may have left ThreadLocals on the workers.
            threads.workers().renew();
            throw e;
        }
    }

    private @Nullable WebApplication putIntoService(WebApplication made) throws DeploymentException {
        WebApplication former;
        synchronized (this) {
            if (availability == Availability.SHUT_DOWN) {
                throw new DeploymentException(made.source() + ": the server has ended");
            }
            former = serving.put(made.context().name(), made);
        }
        table.put(made.context(), made::readsWithoutBlocking, made.guard());
        return former;
    }

    /**
     * Undeploys the application at a context path. New requests do not reach the application. Waits until the application has stopped. The
     * stop waits for the running requests of the application, for about {@code undeploy-timeout} at most. If the calling thread is a
     * worker, the method does not wait, because the worker may be running a request of the application.
     *
     * @param location the context path, in a form that {@link ContextLocation} reads
     * @return whether there was an application at this context path
     */
    public boolean undeploy(String location) {
        String name = ContextLocation.canonical(location);
        forgetFailure(name);
        WebApplication present = find(name);
        return present != null && undeploy(present);
    }

    /** Undeploys an application. Returns false if the application is not in service. */
    public boolean undeploy(WebApplication application) {
        CompletionStage<?> stopped = takeOutOfService(application);
        if (stopped != null && !Workers.isCurrent()) {
            stopped.toCompletableFuture().join();
        }
        return stopped != null;
    }

    /**
     * Takes an application out of service. Returns a {@link CompletionStage} that completes when the application has stopped, or null if
     * the application was not in service.
     */
    private @Nullable CompletionStage<?> takeOutOfService(WebApplication application) {
        changes.lock();
        try {
            synchronized (this) {
                if (!serving.remove(application.context().name(), application)) {
                    return null;
                }
            }
            table.remove(application.context());
            return end(application);
        } finally {
            changes.unlock();
        }
    }

    /**
     * The application in service at a context path, or null if there is none.
     *
     * @param location the context path, as {@link ContextLocation} writes it
     */
    public synchronized @Nullable WebApplication find(String location) {
        return serving.get(location);
    }

    private CompletionStage<?> end(WebApplication application) {
        Undeployment undeployment = new Undeployment(application, threads, counters);
        synchronized (this) {
            undeployments.add(undeployment);
        }
        return undeployment.begin(undeployTimeout).thenRun(() -> forget(undeployment));
    }

    private synchronized void forget(Undeployment undeployment) {
        undeployments.remove(undeployment);
    }

    /**
     * Stops all applications on the calling thread, after the server and its workers have ended. The application that was deployed last is
     * stopped first. A second call has no effect.
     */
    public void stop() {
        List<Undeployment> unfinished;
        List<WebApplication> all;
        synchronized (this) {
            availability = Availability.SHUT_DOWN;
            unfinished = List.copyOf(undeployments);
            all = new ArrayList<>(serving.values());
            all.addAll(prepared);
            serving.clear();
            prepared.clear();
        }
        unfinished.forEach(Undeployment::stopNow);
        Collections.reverse(all);
        for (WebApplication application : all) {
            table.remove(application.context());
            application.stop();
        }
        deployer.close();
    }
}
