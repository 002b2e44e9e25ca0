package io.penstock.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets the time limit for tests that wait for an expected state. JUnit finds this class as a service. So each {@code await()} of Awaitility
 * has this time limit by default.
 */
public final class Patience implements LauncherSessionListener {
    /** The time limit of a wait. It is long enough for a slow and busy machine. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
