package io.penstock.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long tests wait for what will be. JUnit finds this class by itself, so that each {@code await()} has this patience by default.
 */
public final class Patience implements LauncherSessionListener {
    /** Enough for the slowest and busiest machine: whatever takes longer never comes. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
