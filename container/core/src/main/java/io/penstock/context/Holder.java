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

    /** The class; null while the registration has only a name. */
    public abstract @Nullable String className();

    /** The init parameters so far; unmodifiable. */
    public final Map<String, String> initParameters() {
        return parameters.values();
    }

    /** Sets an init parameter unless it is already set. Returns whether this call has set it. */
    public final boolean initParameter(String parameter, String value) {
        requireOpen();
        return parameters.set(parameter, value);
    }

    /** Sets all parameters, or none if one of them is already set. Returns the names that were already set. */
    public final Set<String> initParameters(Map<String, String> added) {
        requireOpen();
        return parameters.set(added);
    }

    /** @throws IllegalStateException if the context has been initialised */
    final void requireOpen() {
        window.requireOpen();
    }
}
