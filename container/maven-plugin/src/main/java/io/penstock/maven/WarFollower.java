package io.penstock.maven;

import io.penstock.DeployException;
import io.penstock.Penstock;
import io.penstock.develop.FileState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys the archive of an application again when a new archive is complete. An archive is complete if two successive checks have found
 * the same file, and the file ends with the central directory of a ZIP file. The former version stays in service until the new version has
 * started.
 *
 * <p>Thread: {@link #look}: the thread of this object; other methods: any. Owns: that thread, which ends after {@link #close}.
 */
final class WarFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WarFollower.class);

    private static final long MILLIS_BETWEEN_LOOKS = 500;

    private final String contextPath;
    private final Path war;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The state of the file at the last check. */
    private @Nullable FileState seen;

    /** The state of the file at the last deployment, even if the deployment failed. */
    private @Nullable FileState deployed;

    private WarFollower(String contextPath, Path war, @Nullable FileState state) {
        this.contextPath = contextPath;
        this.war = war;
        this.seen = state;
        this.deployed = state;
    }

    /** Returns a follower that ignores the current archive. The caller then starts a server with this archive. */
    static WarFollower of(String contextPath, Path war) throws LaunchException {
        try {
            return new WarFollower(contextPath, war, state(war));
        } catch (IOException e) {
            throw new LaunchException(war + ": cannot be read: " + e, e);
        }
    }

    void start(Penstock server) {
        Thread thread = new Thread(() -> follow(server), "penstock-war");
        thread.setDaemon(true);
        thread.start();
    }

    private void follow(Penstock server) {
        try {
            while (!closed.await(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS)) {
                look(server);
            }
        } catch (InterruptedException e) {
            // An interrupt ends the thread.
            Thread.currentThread().interrupt();
        }
    }

    /** Checks the archive once. */
    void look(Penstock server) {
        try {
            FileState now = state(war);
            if (now != null && now.equals(seen) && !now.equals(deployed) && isWhole()) {
                deployed = now;
                deploy(server);
                FileState then = state(war);
                if (!now.equals(then)) {
                    // The archive has changed during the deployment. So a later check deploys the archive again.
                    deployed = null;
                }
            }
            seen = now;
        } catch (IOException e) {
            LOG.warn("{} cannot be read at the moment; its former version stays in service: {}", war, e.toString());
        }
    }

    private void deploy(Penstock server) {
        long begun = System.nanoTime();
        try {
            server.deploy(contextPath, war);
            LOG.info(
                    "Reloaded {} in {} ms: there is a new {}",
                    contextPath,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun),
                    war.getFileName());
        } catch (DeployException e) {
            LOG.error("Does not start: {}; its former version stays in service", e.getMessage(), e.getCause());
        }
    }

    private boolean isWhole() throws IOException {
        try (ZipFile archive = new ZipFile(war.toFile())) {
            return archive.size() > 0;
        } catch (ZipException e) {
            LOG.debug("{} is being written", war, e);
            return false;
        }
    }

    private static @Nullable FileState state(Path war) throws IOException {
        try {
            return FileState.of(war, Files.readAttributes(war, BasicFileAttributes.class));
        } catch (NoSuchFileException gone) {
            return null; // no archive while Maven builds
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
