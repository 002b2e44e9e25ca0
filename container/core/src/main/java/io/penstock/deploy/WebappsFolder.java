package io.penstock.deploy;

import io.penstock.limits.Key;
import io.penstock.limits.OperatorFile;
import io.penstock.time.Saturated;
import io.penstock.work.Job;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys the WARs and unpacked applications of a folder, and follows changes of the folder. The name of a WAR or application determines
 * its context path. A change is carried out after two successive scans have found the same state. So a WAR is not deployed during a copy of
 * the file, and not undeployed during a replacement. If a deployment fails, the failure is logged. All other applications and the former
 * version of the failed application stay in service. The deployment is tried again when the file has changed.
 *
 * <p>Thread: the thread that starts the server calls {@link #open}. The scheduler calls {@link #scan()}. A worker carries out the changes.
 * No scan runs while changes are carried out, so only one thread at a time uses the fields.
 */
public final class WebappsFolder {
    private static final Logger LOG = LoggerFactory.getLogger(WebappsFolder.class);

    private final Path folder;
    private final Applications applications;
    private final ServerThreads threads;
    private final Logger log;
    private final AtomicReference<Activity> activity = new AtomicReference<>(Activity.IDLE);

    /** The applications that the last scan has found, by context path. */
    private Map<String, ApplicationSnapshot> seen = new HashMap<>();

    /** The applications that the last scan has found, and whose names cannot be context paths. */
    private Set<Path> unnamed = Set.of();

    /** The applications that the last scan has found, and that another one of the same kind and name hides. */
    private Set<Path> hidden = Set.of();

    /** The snapshot of the last deployment of each context path. Failed deployments are included. */
    private final Map<String, ApplicationSnapshot> processed = new HashMap<>();

    /**
     * The applications that this object has deployed, by context path. The embedding program can undeploy such an application, and the
     * entry stays.
     */
    private final Map<String, WebApplication> serving = new HashMap<>();

    private LastScan lastScan = LastScan.SUCCEEDED;

    private enum Activity {
        IDLE,
        SCANNING,
        CHANGING
    }

    private enum LastScan {
        SUCCEEDED,
        FAILED
    }

    /**
     * A deployment or an undeployment.
     *
     * @param contextPath the context path: {@code /}, or {@code /name}
     * @param snapshot the application to deploy, or null for an undeployment
     */
    private record Change(String contextPath, @Nullable ApplicationSnapshot snapshot) {}

    /**
     * The applications in the folder.
     *
     * @param unnamed the applications whose names cannot be context paths
     * @param hidden the applications that another one of the same kind hides, because only the case of {@code .war} differs
     */
    private record Found(Map<String, ApplicationSnapshot> byContextPath, Set<Path> unnamed, Set<Path> hidden) {}

    public WebappsFolder(Path folder, Applications applications, ServerThreads threads) {
        this(folder, applications, threads, LOG);
    }

    WebappsFolder(Path folder, Applications applications, ServerThreads threads, Logger log) {
        this.log = log;
        this.folder = folder;
        this.applications = applications;
        this.threads = threads;
    }

    /**
     * Deploys all applications in the folder. During the start of the server, one scan is enough for a deployment.
     *
     * @throws DeploymentException if the folder does not exist. The failure of an application is only logged
     */
    public void open() throws DeploymentException {
        try {
            seen = byContextPath(scan(folder, seen));
        } catch (IOException e) {
            throw cannotBeRead(folder, e);
        }
        seen.forEach((contextPath, snapshot) -> carryOut(new Change(contextPath, snapshot)));
    }

    /** Searches for new, changed and removed applications. Enqueues a job that deploys or undeploys these applications. */
    public void scan() {
        if (!activity.compareAndSet(Activity.IDLE, Activity.SCANNING)) {
            // A worker carries out the changes of the last scan.
            return;
        }
        List<Change> due = List.of();
        try {
            due = due();
        } finally {
            activity.set(due.isEmpty() ? Activity.IDLE : Activity.CHANGING);
        }
        if (!due.isEmpty()) {
            threads.queue().resume(new Changes(due));
        }
    }

    private List<Change> due() {
        Map<String, ApplicationSnapshot> now;
        try {
            now = byContextPath(scan(folder, seen));
        } catch (IOException e) {
            if (lastScan == LastScan.SUCCEEDED) {
                log.warn(
                        "{} cannot be read at the moment; its applications stay in service: {}",
                        folder,
                        OperatorFile.reason(e));
            }
            lastScan = LastScan.FAILED;
            return List.of();
        }
        lastScan = LastScan.SUCCEEDED;
        Set<String> all = new TreeSet<>(now.keySet());
        all.addAll(processed.keySet());
        List<Change> due = new ArrayList<>();
        for (String contextPath : all) {
            ApplicationSnapshot snapshot = now.get(contextPath);
            boolean stable = Objects.equals(snapshot, seen.get(contextPath));
            if (stable && !Objects.equals(snapshot, processed.get(contextPath))) {
                due.add(new Change(contextPath, snapshot));
            }
        }
        seen = now;
        return due;
    }

    /**
     * The current applications of a folder, for a dry run.
     *
     * @throws DeploymentException if the folder does not exist
     */
    public static List<Applications.Deployable> applications(Path folder) throws DeploymentException {
        try {
            Found found = scan(folder, Map.of());
            found.unnamed().forEach(file -> warnOfName(LOG, file));
            found.hidden().forEach(file -> warnOfOther(LOG, file));
            return found.byContextPath().entrySet().stream()
                    .map(snapshot -> Applications.Deployable.of(
                            snapshot.getKey(), snapshot.getValue().content()))
                    .toList();
        } catch (IOException e) {
            throw cannotBeRead(folder, e);
        }
    }

    private static DeploymentException cannotBeRead(Path folder, IOException cause) {
        String reason = cause instanceof NoSuchFileException ? "no such folder" : OperatorFile.reason(cause);
        return new DeploymentException(Key.WEBAPPS.id() + ": " + folder + ": " + reason, cause);
    }

    /** The applications that can be served. Each of the others is logged once. */
    private Map<String, ApplicationSnapshot> byContextPath(Found found) {
        found.unnamed().stream().filter(file -> !unnamed.contains(file)).forEach(file -> warnOfName(log, file));
        unnamed = found.unnamed();
        found.hidden().stream().filter(file -> !hidden.contains(file)).forEach(file -> warnOfOther(log, file));
        hidden = found.hidden();
        return found.byContextPath();
    }

    private static void warnOfName(Logger log, Path file) {
        log.warn(
                "{} is not served, because its name cannot be a context path{}",
                file,
                String.valueOf(file.getFileName()).contains("##")
                        ? ": there are no versions side by side, so leave out ## and what is behind it"
                        : "");
    }

    private static void warnOfOther(Logger log, Path file) {
        log.warn(
                "{} is not served, because another application has the same name; only the case of .war differs", file);
    }

    private static Found scan(Path folder, Map<String, ApplicationSnapshot> seen) throws IOException {
        Map<String, ApplicationSnapshot> all = new TreeMap<>();
        Set<Path> unnamed = new TreeSet<>();
        Set<Path> hidden = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String contextPath = ContextName.of(file);
                ApplicationSnapshot snapshot = at(file, contextPath == null ? null : seen.get(contextPath));
                if (contextPath != null && snapshot != null) {
                    ApplicationSnapshot other = all.get(contextPath);
                    ApplicationSnapshot chosen = other == null ? snapshot : snapshot.or(other);
                    if (other != null && other.kind() == snapshot.kind()) {
                        hidden.add((chosen.equals(snapshot) ? other : snapshot).content());
                    }
                    all.put(contextPath, chosen);
                } else if (snapshot != null
                        && !String.valueOf(file.getFileName()).startsWith(".")) {
                    unnamed.add(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return new Found(all, unnamed, hidden);
    }

    /** Makes the current snapshot of a file. If the file cannot be read, returns the snapshot {@code before} if it is of this file. */
    private static @Nullable ApplicationSnapshot at(Path file, @Nullable ApplicationSnapshot before) {
        try {
            return ApplicationSnapshot.at(file);
        } catch (IOException e) {
            LOG.debug("{} cannot be read", file, e);
            return before != null && before.content().equals(file) ? before : null;
        }
    }

    /** The changes of one scan. Thread: a worker. */
    private final class Changes implements Job {
        private final List<Change> due;

        Changes(List<Change> due) {
            this.due = due;
        }

        @Override
        public void run() {
            try {
                due.forEach(WebappsFolder.this::carryOut);
            } finally {
                activity.set(Activity.IDLE);
            }
        }

        @Override
        public void abandon() {
            log.debug("Not done, since the server has ended: {}", due);
        }

        @Override
        public String describe() {
            return "changes of " + folder;
        }
    }

    private void carryOut(Change change) {
        try {
            if (change.snapshot() == null) {
                undeploy(change.contextPath());
            } else {
                deploy(change.contextPath(), change.snapshot());
            }
        } catch (RuntimeException | Error e) {
            log.error("{} of {} could not be deployed or undeployed", change.contextPath(), folder, e);
        }
    }

    private void undeploy(String contextPath) {
        processed.remove(contextPath);
        applications.forgetFailure(contextPath);
        WebApplication gone = serving.remove(contextPath);
        if (gone != null && applications.undeploy(gone)) {
            log.info("Undeployed {}: {} has been removed", contextPath, gone.source());
        }
    }

    private void deploy(String contextPath, ApplicationSnapshot snapshot) {
        long begun = System.nanoTime();
        WebApplication former = serving.get(contextPath);
        ApplicationSnapshot before = processed.put(contextPath, snapshot);
        try {
            WebApplication deployed = applications.deploy(
                    new Applications.Deployable(
                            contextPath,
                            snapshot.content().toString(),
                            deployer -> made(deployer, contextPath, snapshot)),
                    former);
            serving.put(contextPath, deployed);
            log.info(
                    "{} {} from {} in {} ms",
                    former == null ? "Deployed" : "Redeployed",
                    contextPath,
                    snapshot.content(),
                    Saturated.millis(Duration.ofNanos(System.nanoTime() - begun)));
            Path folderOfSameName = snapshot.folderOfSameName();
            if (folderOfSameName != null) {
                log.warn("{} is not served, because {} has the same name", folderOfSameName, snapshot.content());
            }
        } catch (ContentChangedException e) {
            if (before == null) {
                processed.remove(contextPath);
            } else {
                processed.put(contextPath, before);
            }
            log.info("{} changed while the server read it; the server reads it again", snapshot.content());
        } catch (DeploymentException e) {
            log.error(
                    "Not deployed: {}{}",
                    e.getMessage(),
                    former == null ? "" : "; its former version stays in service",
                    e.unforeseen());
        }
    }

    /** Makes the application. Fails with {@link ContentChangedException} if the file has changed since the snapshot. */
    private static WebApplication made(Deployer deployer, String contextPath, ApplicationSnapshot snapshot)
            throws DeploymentException {
        WebApplication made;
        try {
            made = deployer.deploy(contextPath, snapshot.content());
        } catch (DeploymentException e) {
            throw hasChanged(snapshot, false) ? new ContentChangedException(snapshot.content()) : e;
        }
        if (hasChanged(snapshot, true)) {
            made.stop();
            throw new ContentChangedException(snapshot.content());
        }
        return made;
    }

    /** @param otherwise the answer if the file cannot be looked at */
    private static boolean hasChanged(ApplicationSnapshot snapshot, boolean otherwise) {
        try {
            return !snapshot.equals(ApplicationSnapshot.at(snapshot.content()));
        } catch (IOException e) {
            LOG.debug("{} cannot be read", snapshot.content(), e);
            return otherwise;
        }
    }
}
