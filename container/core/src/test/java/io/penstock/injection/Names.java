package io.penstock.injection;

import io.penstock.environment.Environment;
import io.penstock.environment.EnvironmentException;
import io.penstock.environment.Reference;
import io.penstock.environment.ResourceName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An environment whose entries are in a map. If the value of an entry is an exception, {@link #find} throws this exception. */
final class Names implements Environment {
    final Map<String, Object> bound = new HashMap<>();
    final Map<String, Reference> declared = new HashMap<>();

    Names with(String name, Object value) {
        bound.put(ResourceName.full(name), value);
        return this;
    }

    @Override
    public void declare(Reference reference) {
        declared.putIfAbsent(ResourceName.full(reference.name()), reference);
    }

    @Override
    public @Nullable Object find(String name) throws EnvironmentException {
        Reference reference = declared.get(ResourceName.full(name));
        Object value = bound.get(
                reference != null && reference.lookup() != null
                        ? ResourceName.full(reference.lookup())
                        : ResourceName.full(name));
        if (value instanceof EnvironmentException failure) {
            throw failure;
        }
        return value;
    }

    @Override
    public void close() {}
}
