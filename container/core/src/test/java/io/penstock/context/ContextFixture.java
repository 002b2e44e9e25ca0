package io.penstock.context;

import io.penstock.session.MemorySessions;
import io.penstock.session.SessionLimit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A context without a server. The test sets the clock. Test servlets and test filters add their calls to the list {@code diary}. */
final class ContextFixture implements InstantSource {
    final List<String> diary = Collections.synchronizedList(new ArrayList<>());
    final WebContext context;
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    ContextFixture() {
        this(ContextSettings.builder("/app").build());
    }

    ContextFixture(ContextSettings settings) {
        this(settings, ObjectFactory.REFLECTIVE);
    }

    ContextFixture(ContextSettings settings, ObjectFactory objects) {
        context = new WebContext(
                settings,
                new ContextServices(
                        DispatcherFactory.NONE,
                        ContextLookup.NONE,
                        objects,
                        new MemorySessions(),
                        SessionLimit.unlimited(),
                        "",
                        OpenWebSockets.unlimited(),
                        Runnable::run,
                        this));
    }

    void advanceClock(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
