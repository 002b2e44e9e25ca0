package io.penstock.deploy;

import io.penstock.time.Saturated;
import io.penstock.work.Job;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
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
 * A folder whose WARs and unpacked applications are in service, each at its name, as they come, change and go. What two looks one after
 * the other find the same is taken for complete: so no WAR is deployed that is still being copied, and none undeployed whose owner only
 * puts another in its place. An application that fails leaves a line in the log, its former version if it had one, and all others serving; it
 * is tried again when its file has changed.
 *
 * <p>Thread: {@link #open} the one that starts the server; {@link #look} the keeper; changes are carried out by a worker, during which
 * nobody looks: so one thread at a time has what is kept here.
 */
public final class WebappsFolder {
    private static final Logger LOG = LoggerFactory.getLogger(WebappsFolder.class);

    private final Path folder;
    private final Applications applications;
    private final Crew crew;
    private final AtomicReference<Busy> busy = new AtomicReference<>(Busy.IDLE);

    /** What the last look has found, by context path. */
    private Map<String, Found> seen = new HashMap<>();

    /** What was last dealt with, well or not. */
    private final Map<String, Found> settled = new HashMap<>();

    /** What of it is in service, at least until somebody else undeploys it. */
    private final Map<String, WebApplication> serving = new HashMap<>();

    private LastLook lastLook = LastLook.FOUND_IT;

    private enum Busy {
        IDLE,
        LOOKING,
        CHANGING
    }

    private enum LastLook {
        FOUND_IT,
        FAILED
    }

    /**
     * Something to do.
     *
     * @param contextPath {@code /}, or {@code /name}
     * @param found what is there now, or null if nothing is
     */
    private record Change(String contextPath, @Nullable Found found) {}

    public WebappsFolder(Path folder, Applications applications, Crew crew) {
        this.folder = folder;
        this.applications = applications;
        this.crew = crew;
    }

    /**
     * Deploys what is there, complete or not: a server that starts does not wait.
     *
     * @throws DeploymentException if there is no such folder; not if an application fails
     */
    public void open() throws DeploymentException {
        try {
            seen = scan(folder, seen);
        } catch (IOException e) {
            throw cannotBeRead(folder, e);
        }
        seen.forEach((contextPath, found) -> carryOut(new Change(contextPath, found)));
    }

    /** Looks what has come, changed or gone, and has a worker do what follows from it. */
    public void look() {
        if (!busy.compareAndSet(Busy.IDLE, Busy.LOOKING)) {
            return; // what the last look has found is not done yet
        }
        List<Change> due = List.of();
        try {
            due = due();
        } finally {
            busy.set(due.isEmpty() ? Busy.IDLE : Busy.CHANGING);
        }
        if (!due.isEmpty()) {
            crew.queue().resume(new Changing(due));
        }
    }

    private List<Change> due() {
        Map<String, Found> now;
        try {
            now = scan(folder, seen);
        } catch (IOException e) {
            if (lastLook == LastLook.FOUND_IT) {
                LOG.warn("{} cannot be read at the moment; its applications serve on: {}", folder, e.toString());
            }
            lastLook = LastLook.FAILED;
            return List.of();
        }
        lastLook = LastLook.FOUND_IT;
        Set<String> all = new TreeSet<>(now.keySet());
        all.addAll(settled.keySet());
        List<Change> due = new ArrayList<>();
        for (String contextPath : all) {
            Found found = now.get(contextPath);
            boolean stable = Objects.equals(found, seen.get(contextPath));
            if (stable && !Objects.equals(found, settled.get(contextPath))) {
                due.add(new Change(contextPath, found));
            }
        }
        seen = now;
        return due;
    }

    /**
     * The applications that are there now, for a look before a server starts.
     *
     * @throws DeploymentException if there is no such folder
     */
    public static List<Applications.Wanted> wanted(Path folder) throws DeploymentException {
        try {
            return scan(folder, Map.of()).entrySet().stream()
                    .map(found -> Applications.Wanted.of(
                            found.getKey(), found.getValue().content()))
                    .toList();
        } catch (IOException e) {
            throw cannotBeRead(folder, e);
        }
    }

    private static DeploymentException cannotBeRead(Path folder, IOException cause) {
        return new DeploymentException(folder + ": no folder that can be read", cause);
    }

    private static Map<String, Found> scan(Path folder, Map<String, Found> seen) throws IOException {
        Map<String, Found> all = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String contextPath = ContextName.of(file);
                Found found = contextPath == null ? null : at(file, seen.get(contextPath));
                if (contextPath != null && found != null) {
                    all.merge(contextPath, found, Found::or);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return all;
    }

    /** One that cannot be read at the moment is as it was. */
    private static @Nullable Found at(Path file, @Nullable Found before) {
        try {
            return Found.at(file);
        } catch (IOException e) {
            LOG.debug("{} cannot be read", file, e);
            return before;
        }
    }

    /** The changes of one look. Thread: a worker. */
    private final class Changing implements Job {
        private final List<Change> due;

        Changing(List<Change> due) {
            this.due = due;
        }

        @Override
        public void run() {
            try {
                due.forEach(WebappsFolder.this::carryOut);
            } finally {
                busy.set(Busy.IDLE);
            }
        }

        @Override
        public void abandon() {
            LOG.debug("Not done, since the server has ended: {}", due);
        }

        @Override
        public String describe() {
            return "changes of " + folder;
        }
    }

    private void carryOut(Change change) {
        try {
            if (change.found() == null) {
                undeploy(change.contextPath());
            } else {
                deploy(change.contextPath(), change.found());
            }
        } catch (RuntimeException | Error e) {
            LOG.error("{} of {} could not be changed", change.contextPath(), folder, e);
        }
    }

    private void undeploy(String contextPath) {
        settled.remove(contextPath);
        applications.forgetFailure(contextPath);
        WebApplication gone = serving.remove(contextPath);
        if (gone != null && applications.undeploy(gone)) {
            LOG.info("Undeployed {}: {} is gone", contextPath, gone.source());
        }
    }

    private void deploy(String contextPath, Found found) {
        long begun = System.nanoTime();
        WebApplication former = serving.get(contextPath);
        Found before = settled.put(contextPath, found);
        try {
            WebApplication deployed = applications.deploy(
                    new Applications.Wanted(
                            contextPath, found.content().toString(), deployer -> made(deployer, contextPath, found)),
                    former);
            serving.put(contextPath, deployed);
            LOG.info(
                    "{} {} from {} in {} ms",
                    former == null ? "Deployed" : "Redeployed",
                    contextPath,
                    found.content(),
                    Saturated.millis(Duration.ofNanos(System.nanoTime() - begun)));
        } catch (StillChangingException e) {
            if (before == null) {
                settled.remove(contextPath);
            } else {
                settled.put(contextPath, before);
            }
            LOG.info("{} is changed while it is read; it is looked at again", found.content());
        } catch (DeploymentException e) {
            LOG.error("Not deployed: {}{}", e.getMessage(), former == null ? "" : "; its former version serves on");
            LOG.debug("Why", e);
        }
    }

    /** Makes the application, if its file is afterwards what it was before. */
    private static WebApplication made(Deployer deployer, String contextPath, Found found) throws DeploymentException {
        try {
            WebApplication made = deployer.deploy(contextPath, found.content());
            if (hasChanged(found)) {
                made.stop();
                throw new StillChangingException(found.content());
            }
            return made;
        } catch (StillChangingException e) {
            throw e;
        } catch (DeploymentException e) {
            throw hasChanged(found) ? new StillChangingException(found.content()) : e;
        }
    }

    private static boolean hasChanged(Found found) throws DeploymentException {
        try {
            return !found.equals(Found.at(found.content()));
        } catch (IOException e) {
            throw new DeploymentException(found.content() + ": cannot be read: " + e, e);
        }
    }
}
