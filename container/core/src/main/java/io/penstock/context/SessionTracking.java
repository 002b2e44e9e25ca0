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
    private final boolean isFixed;
    private volatile Set<SessionTrackingMode> modes;

    SessionTracking(RegistrationWindow window, SessionSettings settings) {
        this.window = window;
        this.isFixed = settings.fixed().tracking() != null;
        this.modes = settings.tracking().isEmpty() ? DEFAULT : checked(settings.tracking());
    }

    /**
     * Changes the modes, unless the operator has fixed them.
     *
     * @throws IllegalArgumentException if no mode is given, or if SSL is combined with another mode
     */
    void set(@Nullable Set<SessionTrackingMode> wanted) {
        window.requireOpen();
        Set<SessionTrackingMode> changed = checked(Arguments.required(wanted, "session tracking modes"));
        if (!isFixed) {
            modes = changed;
        }
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
