package io.penstock.develop;

import io.penstock.address.ContextLocation;
import io.penstock.context.Resource;
import io.penstock.deploy.ApplicationContent;
import io.penstock.deploy.Applications;
import io.penstock.deploy.ContextDefinition;
import io.penstock.deploy.DeploymentException;
import io.penstock.deploy.JarCaches;
import io.penstock.deploy.RunningStart;
import io.penstock.deploy.ServerThreads;
import io.penstock.deploy.WebApplication;
import io.penstock.dispatch.Route;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.mapping.MatchKind;
import io.penstock.time.Clock;
import io.penstock.work.Job;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The applications of a server that are in development. Handles the requests for these applications, and passes all other requests to the
 * next handler.
 *
 * <p>Thread: workers call {@link #handle}. The thread that starts the server calls {@link #open}. Any thread can call {@link #close}.
 */
public final class Developments implements ExchangeHandler {
    /** The time between two scans of the files if no requests arrive. */
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final Map<String, SourceTree> trees = new LinkedHashMap<>();
    private final ExchangeHandler next;
    private volatile Map<String, DevelopedApplication> applications = Map.of();
    private volatile @Nullable Future<?> scans;

    /**
     * @param trees the source trees by context path
     * @param next the handler that serves the requests with the applications
     */
    public Developments(Map<String, SourceTree> trees, ExchangeHandler next) {
        trees.forEach((location, tree) -> this.trees.put(ContextLocation.canonical(location), tree));
        this.next = next;
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        DevelopedApplication developed = exchange.route() instanceof Route.ToServlet route
                ? applications.get(route.context().name())
                : null;
        if (developed == null) {
            next.handle(exchange);
        } else {
            developed.arrive(exchange, kind((Route.ToServlet) exchange.route()));
        }
    }

    private static DevelopedApplication.Kind kind(Route.ToServlet route) {
        if (route.match() == null || route.match().kind() != MatchKind.DEFAULT) {
            return DevelopedApplication.Kind.OTHER;
        }
        Resource file = route.context().settings().resources().find(route.pathInContext());
        return file == null || file.kind() == Resource.Kind.DIRECTORY
                // For a folder, the welcome file can be a JSP page, or a filter can answer.
                ? DevelopedApplication.Kind.OTHER
                : DevelopedApplication.Kind.FILE;
    }

    /**
     * Deploys the first version of each application. If a version does not start, the failure is logged, and {@link FailurePage} shows the
     * failure to clients.
     *
     * @param temporary the folder for copies of the files, or null for the system's temporary folder
     * @throws DeploymentException if the first folder of a source tree does not exist, or if another application has the context path
     */
    public void open(Applications deployed, ServerThreads threads, @Nullable Path temporary)
            throws DeploymentException {
        Map<String, DevelopedApplication> made = new LinkedHashMap<>();
        if (!trees.isEmpty()) {
            JarCaches.switchOff();
        }
        for (Map.Entry<String, SourceTree> tree : trees.entrySet()) {
            checkPathIsFree(tree.getKey(), tree.getValue(), deployed);
            SourceChanges changes =
                    new SourceChanges(tree.getValue(), Clock.SYSTEM, new ContentHashes(InstantSource.system()));
            DevelopedApplication application = new DevelopedApplication(
                    tree.getKey(),
                    tree.getValue(),
                    changes,
                    Clock.SYSTEM,
                    temporary,
                    next,
                    new OfServer(tree.getKey(), tree.getValue(), deployed, threads));
            application.open();
            made.put(tree.getKey(), application);
        }
        applications = Map.copyOf(made);
        if (!made.isEmpty()) {
            scans = threads.scheduler()
                    .every(INTERVAL, () -> made.values().forEach(DevelopedApplication::requestScanUnlessBusy));
        }
    }

    private static void checkPathIsFree(String location, SourceTree tree, Applications deployed)
            throws DeploymentException {
        WebApplication present = deployed.find(location);
        if (present != null) {
            throw new DeploymentException("two applications have the context path " + location + ": " + present.source()
                    + " and " + tree.named());
        }
    }

    /** Called when the server ends. Requests that wait for a new version are served by the current version. */
    public void close() {
        Future<?> periodic = scans;
        if (periodic != null) {
            periodic.cancel(false);
        }
        applications.values().forEach(DevelopedApplication::close);
    }

    private record OfServer(String location, SourceTree tree, Applications applications, ServerThreads threads)
            implements DevelopedApplication.Surroundings {

        @Override
        public void deploy(ApplicationContent version, RunningStart start) throws DeploymentException {
            applications.deploy(
                    new Applications.Deployable(location, tree.named().toString(), deployer -> {
                        // This lambda runs on the thread that starts the application, and begin() records this thread.
                        start.begin();
                        return deployer.deploy(location, version);
                    }));
        }

        @Override
        public void deployNothing() throws DeploymentException {
            ContextDefinition nothing = ContextDefinition.of(location, List.of(), List.of());
            applications.deploy(new Applications.Deployable(
                    location, tree.named().toString(), deployer -> deployer.deploy(nothing)));
        }

        @Override
        public void onWorker(Runnable task) {
            threads.queue().resume(new Job() {
                @Override
                public void run() {
                    task.run();
                }

                @Override
                public void abandon() {
                    // The server has ended. No request waits for this scan.
                }

                @Override
                public String describe() {
                    return "the scan of the files of " + location;
                }
            });
        }

        @Override
        public void after(Duration delay, Runnable task) {
            threads.scheduler().after(delay, task);
        }
    }
}
