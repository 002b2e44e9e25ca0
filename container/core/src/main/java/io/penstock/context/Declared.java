package io.penstock.context;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What servlets and filters have in common as declarations: a name, a class, and init parameters. Thread: any. */
abstract class Declared {
    private final String name;
    private final RegistrationWindow window;
    private final InitParameters parameters = new InitParameters();

    Declared(String name, RegistrationWindow window) {
        this.name = name;
        this.window = window;
    }

    public final String name() {
        return name;
    }

    /** The class, or null while the registration is preliminary. */
    public abstract @Nullable String className();

    /** Init parameters as declared so far; unmodifiable. */
    public final Map<String, String> initParameters() {
        return parameters.values();
    }

    /** Sets an init parameter unless it is set; whether it was set by this call. */
    public final boolean initParameter(String parameter, String value) {
        requireOpen();
        return parameters.set(parameter, value);
    }

    /** Sets all of them or, if some are set already, none; the names of those. */
    public final Set<String> initParameters(Map<String, String> added) {
        requireOpen();
        return parameters.set(added);
    }

    /** Throws {@link IllegalStateException} once declarations may not change any more. */
    final void requireOpen() {
        window.requireOpen();
    }
}
