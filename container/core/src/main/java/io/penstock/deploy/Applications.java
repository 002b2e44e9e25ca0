package io.penstock.deploy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The applications of a server: the one place where they come into service, are replaced, and go. Whoever asks for a path meets one
 * version of its application or the next, and never none: the next is started before the former gets no more requests, and what runs in
 * the former is finished by it.
 *
 * <p>Thread: any. Changes come one after another; what they run of applications runs on workers.
 *
 * <p>Owns: the applications, those in service and those that are still ending.
 */
public final class Applications {
    /** Failures are remembered of so many context paths, which a program may take from anywhere. */
    private static final int MOST_FAILURES = 1000;

    private final Deployer deployer;
    private final ContextTable table;
    private final Crew crew;
    private final Duration patience;
    private final Counters counters;
    private final ReentrantLock changes = new ReentrantLock();

    /** By context path, in the order in which they came. */
    @GuardedBy("this")
    private final Map<String, WebApplication> serving = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Set<Ending> endings = new LinkedHashSet<>();

    /** By context path as operators write it, the latest last. */
    @GuardedBy("this")
    private final Map<String, FailedDeployment> failures = new LinkedHashMap<>();

    @GuardedBy("this")
    private Stage stage = Stage.OPEN;

    private enum Stage {
        OPEN,
        /** The server has ended: nothing comes into service any more. */
        ENDED
    }

    /** Makes an application, which has not started. */
    @FunctionalInterface
    public interface Making {
        WebApplication make(Deployer deployer) throws DeploymentException;
    }

    /**
     * An application that is to come into service.
     *
     * @param contextPath {@code /} for the root, or {@code /name}
     * @param source names it for operators if it fails: a file, a folder, or a context made in code
     */
    public record Wanted(String contextPath, String source, Making making) {
        public Wanted {
            contextPath = contextPath.isEmpty() ? "/" : contextPath;
        }

        /** One from the disk. */
        public static Wanted of(String contextPath, Path content) {
            return new Wanted(contextPath, content.toString(), deployer -> deployer.deploy(contextPath, content));
        }
    }

    /** @param patience for requests that run in an application that goes */
    public Applications(Deployer deployer, ContextTable table, Crew crew, Duration patience, Counters counters) {
        this.deployer = deployer;
        this.table = table;
        this.crew = crew;
        this.patience = patience;
        this.counters = counters;
    }

    /**
     * Makes and starts an application and puts it into service, in the place of one with the same path. When this returns new requests go
     * to it; those that run in the former one are not waited for.
     *
     * @throws DeploymentException if it cannot be made or does not start; then the former one serves on as if nothing had been
     */
    public WebApplication deploy(Wanted wanted) throws DeploymentException {
        return WorkerStep.carryOut(crew.queue(), () -> change(wanted, made -> {}));
    }

    /**
     * The same, but only in the place of {@code former}, or of none.
     *
     * @throws DeploymentException also if another application has the path
     */
    public WebApplication deploy(Wanted wanted, @Nullable WebApplication former) throws DeploymentException {
        return WorkerStep.carryOut(crew.queue(), () -> change(wanted, made -> refuseOthers(made, former)));
    }

    /** Whether an application that has been made may come into service. */
    @FunctionalInterface
    private interface Check {
        void of(WebApplication made) throws DeploymentException;
    }

    private WebApplication change(Wanted wanted, Check check) throws DeploymentException {
        changes.lock();
        try {
            WebApplication made = change(wanted.making(), check);
            forgetFailure(wanted.contextPath());
            return made;
        } catch (StillChangingException e) {
            throw e;
        } catch (DeploymentException | RuntimeException | Error e) {
            remember(FailedDeployment.of(wanted, e));
            throw e;
        } finally {
            changes.unlock();
        }
    }

    private WebApplication change(Making making, Check check) throws DeploymentException {
        WebApplication made = making.make(deployer);
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
        failures.remove(failure.contextPath());
        failures.put(failure.contextPath(), failure);
        if (failures.size() > MOST_FAILURES) {
            failures.remove(failures.keySet().iterator().next());
        }
    }

    /**
     * Nothing is to be served at this path any more, or another deployment has succeeded.
     *
     * @param contextPath {@code /} for the root, or {@code /name}
     */
    synchronized void forgetFailure(String contextPath) {
        failures.remove(contextPath);
    }

    /** The deployments that have failed and that nothing has made good, the latest last. */
    public synchronized List<FailedDeployment> failures() {
        return List.copyOf(failures.values());
    }

    private synchronized void refuseOthers(WebApplication made, @Nullable WebApplication former)
            throws DeploymentException {
        WebApplication present = serving.get(made.context().getContextPath());
        if (present != null && present != former) {
            throw new DeploymentException("two applications have the context path "
                    + made.context().name() + ": " + present.source() + " and " + made.source());
        }
    }

    private void start(WebApplication made) throws DeploymentException {
        try {
            made.start();
        } catch (DeploymentException | RuntimeException | Error e) {
            crew.workers().renew(); // its code has run here
            throw e;
        }
    }

    private @Nullable WebApplication putIntoService(WebApplication made) throws DeploymentException {
        WebApplication former;
        synchronized (this) {
            if (stage == Stage.ENDED) {
                throw new DeploymentException(made.source() + ": the server has ended");
            }
            former = serving.put(made.context().getContextPath(), made);
        }
        table.put(made.context(), made::readsWithoutBlocking, made.guard());
        return former;
    }

    /**
     * Takes the application of a context path out of service: new requests do not find it. Waits until what runs in it has come to its end
     * and it has been stopped, unless the calling thread is a worker, which may be one that it would wait for.
     *
     * @param contextPath empty for the root, or {@code /name}
     * @return whether there was one
     */
    public boolean undeploy(String contextPath) {
        forgetFailure(contextPath.isEmpty() ? "/" : contextPath);
        WebApplication present = find(contextPath);
        return present != null && undeploy(present);
    }

    /** The same; returns false if the application is not in service. */
    public boolean undeploy(WebApplication application) {
        CompletionStage<?> ended = takeOutOfService(application);
        if (ended != null && !Workers.isCurrent()) {
            ended.toCompletableFuture().join();
        }
        return ended != null;
    }

    /** What is returned is complete when the application has been stopped; null if it was not in service. */
    private @Nullable CompletionStage<?> takeOutOfService(WebApplication application) {
        changes.lock();
        try {
            synchronized (this) {
                if (!serving.remove(application.context().getContextPath(), application)) {
                    return null;
                }
            }
            table.remove(application.context());
            return end(application);
        } finally {
            changes.unlock();
        }
    }

    public synchronized @Nullable WebApplication find(String contextPath) {
        return serving.get(contextPath);
    }

    private CompletionStage<?> end(WebApplication application) {
        Ending ending = new Ending(application, crew, counters);
        synchronized (this) {
            endings.add(ending);
        }
        return ending.begin(patience).thenRun(() -> forget(ending));
    }

    private synchronized void forget(Ending ending) {
        endings.remove(ending);
    }

    /** Stops all, the last that came first, on the calling thread: the server has ended, and its workers have. Idempotent. */
    public void stop() {
        List<Ending> leaving;
        List<WebApplication> all;
        synchronized (this) {
            stage = Stage.ENDED;
            leaving = List.copyOf(endings);
            all = new ArrayList<>(serving.values());
            serving.clear();
        }
        leaving.forEach(Ending::stopNow);
        Collections.reverse(all);
        for (WebApplication application : all) {
            table.remove(application.context());
            application.stop();
        }
    }
}
