package io.penstock.environment;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An environment without resources: the entries of one application, and references to these entries. Thread: any. */
final class EntriesOnly implements Environment {
    /** The longest chain of references. A longer chain is treated as a cycle, because real chains are short. */
    private static final int MAX_STEPS = 16;

    private final Map<String, Object> entries;
    private final Map<String, Reference> references = new ConcurrentHashMap<>();

    EntriesOnly(Declarations declarations) {
        Map<String, Object> byName = new HashMap<>();
        declarations.entries().forEach(entry -> byName.put(ResourceName.full(entry.name()), entry.value()));
        entries = Map.copyOf(byName);
        declarations.references().forEach(this::declare);
    }

    @Override
    public void declare(Reference reference) {
        references.putIfAbsent(ResourceName.full(reference.name()), reference);
    }

    @Override
    public @Nullable Object find(String name) throws EnvironmentException {
        String next = ResourceName.full(name);
        for (int step = 0; step < MAX_STEPS; step++) {
            Object value = entries.get(next);
            Reference reference = references.get(next);
            if (value != null || reference == null || reference.lookup() == null) {
                return value;
            }
            next = ResourceName.full(reference.lookup());
        }
        throw new EnvironmentException("the look-up of '" + name + "' leads back to itself");
    }

    @Override
    public void close() {}
}
