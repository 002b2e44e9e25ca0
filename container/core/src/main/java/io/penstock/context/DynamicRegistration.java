package io.penstock.context;

import jakarta.servlet.Registration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A registration as the application sees it. The setters check their arguments, then change the {@link Holder}. Thread: any. */
abstract class DynamicRegistration implements Registration.Dynamic {
    private final Holder holder;

    DynamicRegistration(Holder holder) {
        this.holder = holder;
    }

    @Override
    public final String getName() {
        return holder.name();
    }

    @Override
    public final @Nullable String getClassName() {
        return holder.className();
    }

    @Override
    public final boolean setInitParameter(@Nullable String name, @Nullable String value) {
        return holder.initParameter(Arguments.required(name, "name"), Arguments.required(value, "value"));
    }

    @Override
    public final @Nullable String getInitParameter(@Nullable String name) {
        return name == null ? null : holder.initParameters().get(name);
    }

    @Override
    public final Set<String> setInitParameters(Map<String, String> parameters) {
        return holder.initParameters(Arguments.requiredEntries(parameters));
    }

    @Override
    public final Map<String, String> getInitParameters() {
        return holder.initParameters();
    }
}
