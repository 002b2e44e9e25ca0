package io.penstock.deploy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.dispatch.ContextTable;
import io.penstock.limits.ContextPlace;
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
 * Deploys, replaces and undeploys the applications of a server. A replacement has no downtime: until the new version has started, new
 * requests go to the former version. The former version completes the requests that it has begun.
 *
 * <p>Thread: any. One change at a time; code of applications runs on workers.
 *
 * <p>Owns: the applications in service, and the applications that are being undeployed.
 */
public final class Applications {
    /** The most failures that are remembered. Without a limit, a program that tries many context paths would fill the memory. */
    private static final int MAX_FAILURES = 1000;

    private final Deployer deployer;
    private final ContextTable table;
    private final ServerThreads threads;
    private final Duration undeployTimeout;
    private final Counters counters;
    private final ReentrantLock changes = new ReentrantLock();

    /** Applications by place, in the order of their deployment. */
    @GuardedBy("this")
    private final Map<String, WebApplication> serving = new LinkedHashMap<>();

    /** Applications that have been initialised, but are not in service yet. */
    @GuardedBy("this")
    private final List<WebApplication> prepared = new ArrayList<>();

    @GuardedBy("this")
    private final Set<Undeployment> undeployments = new LinkedHashSet<>();

    /** Failures by place, the latest last. */
    @GuardedBy("this")
    private final Map<String, FailedDeployment> failures = new LinkedHashMap<>();

    @GuardedBy("this")
    private Availability availability = Availability.OPEN;

    private enum Availability {
        OPEN,
        /** The server has ended: nothing can be deployed any more. */
        SHUT_DOWN
    }

    /** Makes an application without starting it. */
    @FunctionalInterface
    public interface Factory {
        WebApplication make(Deployer deployer) throws DeploymentException;
    }

    /**
     * An application that can be deployed.
     *
     * @param place of its context, in the spelling of {@link ContextPlace}
     * @param source the name for operators, if the deployment fails: a file, a folder, or a context made in code
     */
    public record Deployable(String place, String source, Factory factory) {
        public Deployable {
            place = ContextPlace.canonical(place);
        }

        /** A WAR or a folder. */
        public static Deployable of(String place, Path content) {
            return new Deployable(place, content.toString(), deployer -> deployer.deploy(place, content));
        }
    }

    /** @param undeployTimeout how long an undeployment waits for running requests */
    public Applications(
            Deployer deployer, ContextTable table, ServerThreads threads, Duration undeployTimeout, Counters counters) {
        this.deployer = deployer;
        this.table = table;
        this.threads = threads;
        this.undeployTimeout = undeployTimeout;
        this.counters = counters;
    }

    /**
     * Makes and starts an application, and puts it into service. It replaces an application with the same path. When this method returns,
     * new requests go to the new application; requests in the former one may still run.
     *
     * @throws DeploymentException if the application cannot be made or does not start; the former application stays in service
     */
    public WebApplication deploy(Deployable application) throws DeploymentException {
        return WorkerTask.carryOut(threads.queue(), () -> change(application, made -> {}));
    }

    /**
     * Does the same as {@link #deploy(Deployable)}, but replaces only {@code former}.
     *
     * @throws DeploymentException as {@link #deploy(Deployable)} does, or because another application has the path
     */
    public WebApplication deploy(Deployable application, @Nullable WebApplication former) throws DeploymentException {
        return WorkerTask.carryOut(threads.queue(), () -> change(application, made -> checkPathIsFree(made, former)));
    }

    /** Decides whether an application that has been made may go into service. */
    @FunctionalInterface
    private interface Check {
        void of(WebApplication made) throws DeploymentException;
    }

    private WebApplication change(Deployable application, Check check) throws DeploymentException {
        changes.lock();
        try {
            WebApplication made = change(application.factory(), check);
            forgetFailure(application.place());
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
     * path
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
     * @throws DeploymentException if one of them does not start
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
        failures.remove(failure.place());
        failures.put(failure.place(), failure);
        if (failures.size() > MAX_FAILURES) {
            failures.remove(failures.keySet().iterator().next());
        }
        reserveHosts();
    }

    /**
     * Removes the failed deployment of a path, after a later deployment has succeeded or the application has been removed.
     *
     * @param place in the spelling of {@link ContextPlace}
     */
    synchronized void forgetFailure(String place) {
        if (failures.remove(place) != null) {
            reserveHosts();
        }
    }

    /** Keeps the hosts of failed applications known. Otherwise requests for these hosts would go to the default host. */
    @GuardedBy("this")
    private void reserveHosts() {
        table.reserve(failures.keySet().stream()
                .map(ContextPlace::read)
                .filter(Objects::nonNull)
                .map(ContextPlace::host)
                .collect(Collectors.toSet()));
    }

    /** The failed deployments, the latest last. A later successful deployment of the same path removes a failed one. */
    public synchronized List<FailedDeployment> failures() {
        return List.copyOf(failures.values());
    }

    private synchronized void checkPathIsFree(WebApplication made, @Nullable WebApplication former)
            throws DeploymentException {
        String place = made.context().name();
        WebApplication present = prepared.stream()
                .filter(other -> other.context().name().equals(place))
                .findFirst()
                .orElse(serving.get(place));
        if (present != null && present != former) {
            throw new DeploymentException("two applications have the context path "
                    + made.context().name() + ": " + present.source() + " and " + made.source());
        }
    }

    private void start(WebApplication made) throws DeploymentException {
        try {
            made.start();
        } catch (DeploymentException | RuntimeException | Error e) {
            threads.workers().renew(); // the application may have left ThreadLocals on the workers
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
     * Undeploys the application of a place. The application gets no new requests. Waits until its requests have ended and the application
     * has stopped. If the caller is a worker, there is no wait: the worker may be running one of these requests.
     *
     * @param place as {@link ContextPlace} reads it
     * @return whether there was such an application
     */
    public boolean undeploy(String place) {
        String name = ContextPlace.canonical(place);
        forgetFailure(name);
        WebApplication present = find(name);
        return present != null && undeploy(present);
    }

    /** Undeploys this application; returns false if it is not in service. */
    public boolean undeploy(WebApplication application) {
        CompletionStage<?> stopped = takeOutOfService(application);
        if (stopped != null && !Workers.isCurrent()) {
            stopped.toCompletableFuture().join();
        }
        return stopped != null;
    }

    /** Returns a stage that completes when the application has stopped; null if the application was not in service. */
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

    /** The application of a place in the spelling of {@link ContextPlace}; null if there is none. */
    public synchronized @Nullable WebApplication find(String place) {
        return serving.get(place);
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

    /** The server and its workers have ended: stops all applications on the calling thread, the latest first. Idempotent. */
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
    }
}
