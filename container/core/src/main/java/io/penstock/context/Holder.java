package io.penstock.context;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The registration of a servlet or a filter: its name, class and init parameters. Thread: any. */
abstract class Holder {
    private final String name;
    private final RegistrationWindow window;
    private final InitParameters parameters = new InitParameters();

    Holder(String name, RegistrationWindow window) {
        this.name = name;
        this.window = window;
    }

    public final String name() {
        return name;
    }

    /** The class, or null while the registration is preliminary. */
    public abstract @Nullable String className();

    /** The init parameters that are set so far; unmodifiable. */
    public final Map<String, String> initParameters() {
        return parameters.values();
    }

    /** Sets an init parameter unless it is set already; returns whether this call has set it. */
    public final boolean initParameter(String parameter, String value) {
        requireOpen();
        return parameters.set(parameter, value);
    }

    /** Sets all parameters, or none if some are set already. Returns the names of those that were set already. */
    public final Set<String> initParameters(Map<String, String> added) {
        requireOpen();
        return parameters.set(added);
    }

    /** @throws IllegalStateException once registrations must not change any more */
    final void requireOpen() {
        window.requireOpen();
    }
}
