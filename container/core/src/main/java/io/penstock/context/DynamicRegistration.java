package io.penstock.context;

import jakarta.servlet.Registration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A registration as the application sees it: checks what it is given, then changes what is declared. Thread: any. */
abstract class DynamicRegistration implements Registration.Dynamic {
    private final Declared declared;

    DynamicRegistration(Declared declared) {
        this.declared = declared;
    }

    @Override
    public final String getName() {
        return declared.name();
    }

    @Override
    public final @Nullable String getClassName() {
        return declared.className();
    }

    @Override
    public final boolean setInitParameter(@Nullable String name, @Nullable String value) {
        return declared.initParameter(Arguments.required(name, "name"), Arguments.required(value, "value"));
    }

    @Override
    public final @Nullable String getInitParameter(@Nullable String name) {
        return name == null ? null : declared.initParameters().get(name);
    }

    @Override
    public final Set<String> setInitParameters(Map<String, String> parameters) {
        return declared.initParameters(Arguments.requiredEntries(parameters));
    }

    @Override
    public final Map<String, String> getInitParameters() {
        return declared.initParameters();
    }
}
