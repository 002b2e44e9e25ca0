package io.penstock.context;

import jakarta.servlet.SessionTrackingMode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The session tracking modes of one context (Servlet 6.1, section 7.1). The modes can be changed until the context has started. Thread: any. */
final class SessionTracking {
    static final Set<SessionTrackingMode> DEFAULT =
            Collections.unmodifiableSet(EnumSet.of(SessionTrackingMode.COOKIE, SessionTrackingMode.URL));

    private final RegistrationWindow window;
    private volatile Set<SessionTrackingMode> modes;

    /** @param declared the modes of the descriptor; empty for the default */
    SessionTracking(RegistrationWindow window, Set<SessionTrackingMode> declared) {
        this.window = window;
        this.modes = declared.isEmpty() ? DEFAULT : checked(declared);
    }

    /** @throws IllegalArgumentException if no mode is given, or if SSL is combined with another mode */
    void set(@Nullable Set<SessionTrackingMode> wanted) {
        window.requireOpen();
        modes = checked(Arguments.required(wanted, "session tracking modes"));
    }

    Set<SessionTrackingMode> effective() {
        return modes;
    }

    private static Set<SessionTrackingMode> checked(Set<SessionTrackingMode> wanted) {
        if (wanted.contains(SessionTrackingMode.SSL) && wanted.size() > 1) {
            throw new IllegalArgumentException("SSL cannot be combined with another tracking mode");
        }
        return Set.copyOf(wanted);
    }
}
