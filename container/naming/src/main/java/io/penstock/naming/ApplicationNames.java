package io.penstock.naming;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.environment.DataSourceDefinition;
import io.penstock.environment.Declarations;
import io.penstock.environment.Environment;
import io.penstock.environment.EnvironmentException;
import io.penstock.environment.Reference;
import io.penstock.environment.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of one application, including the names that all applications share.
 *
 * <p>Thread: any. Owns: the connection pools of the application's data sources, until {@link #close}.
 */
final class ApplicationNames implements Environment {
    private static final String ENVIRONMENT = "java:comp/env/";
    /** The longest chain of links. A longer chain is treated as a cycle, because real chains are short. */
    private static final int MAX_STEPS = 16;

    private final Declarations declarations;
    private final GlobalNames globals;
    private final Map<String, Binding> bindings = new ConcurrentHashMap<>();
    /** The shared names that this application has bound. */
    private final Map<String, Binding> shared = new ConcurrentHashMap<>();
    /** The configured data sources that this application has looked up, by name. */
    @GuardedBy("this")
    private final Map<String, PooledSource> configured = new HashMap<>();

    @GuardedBy("this")
    private State state = State.OPEN;

    private enum State {
        OPEN,
        ENDED
    }

    private ApplicationNames(Declarations declarations, GlobalNames globals) {
        this.declarations = declarations;
        this.globals = globals;
    }

    static ApplicationNames open(Declarations declarations, GlobalNames globals) throws EnvironmentException {
        ApplicationNames names = new ApplicationNames(declarations, globals);
        try {
            names.bindDeclared();
        } catch (EnvironmentException | RuntimeException e) {
            names.close();
            throw e;
        }
        ThreadApplications.add(declarations.loader(), names);
        return names;
    }

    private void bindDeclared() throws EnvironmentException {
        bindings.put("java:comp/ModuleName", new Binding.Value(declarations.module()));
        bindings.put("java:app/AppName", new Binding.Value(declarations.module()));
        bindings.put("java:comp/InAppClientContainer", new Binding.Value(false));
        for (Declarations.Entry entry : declarations.entries()) {
            bind(entry.name(), new Binding.Value(entry.value()), entry.at());
        }
        for (DataSourceDefinition definition : declarations.dataSources()) {
            PooledSource source = new PooledSource(
                    new ConfiguredSource(definition, List.of()), declarations.application(), declarations.loader());
            bind(definition.name(), new Binding.Pooled(source), definition.at());
        }
        for (Reference reference : declarations.references()) {
            declare(reference);
        }
    }

    private void bind(String name, Binding binding, String at) throws EnvironmentException {
        String full = ResourceName.full(name);
        boolean free;
        if (full.startsWith(GlobalNames.PREFIX)) {
            free = globals.bind(full, binding);
            if (free) {
                shared.put(full, binding);
            }
        } else {
            free = bindings.putIfAbsent(full, binding) == null;
        }
        if (!free) {
            throw new EnvironmentException(at + ": the name '" + name + "' is bound already");
        }
    }

    @Override
    public void declare(Reference reference) {
        String full = ResourceName.full(reference.name());
        if (!full.startsWith(GlobalNames.PREFIX)) {
            bindings.putIfAbsent(full, new Binding.Link(reference));
        }
    }

    @Override
    public List<Reference> missing() {
        Map<String, Reference> all = new TreeMap<>();
        declarations.references().forEach(reference -> all.put(ResourceName.full(reference.name()), reference));
        bindings.forEach((name, binding) -> {
            if (binding instanceof Binding.Link link) {
                all.put(name, link.reference());
            }
        });
        return all.entrySet().stream()
                .filter(reference -> target(reference.getKey()) == null
                        && !"java.lang.String".equals(reference.getValue().type()))
                .map(Map.Entry::getValue)
                .toList();
    }

    @Override
    public @Nullable Object find(String name) throws EnvironmentException {
        Binding binding = target(ResourceName.full(name));
        if (binding instanceof Binding.Pooled pooled) {
            return pooled.source().open();
        }
        return binding instanceof Binding.Value value ? value.object() : null;
    }

    /** The target of a full name, after all links are followed; null if there is no target. */
    private @Nullable Binding target(String fullName) {
        String next = fullName;
        for (int step = 0; step < MAX_STEPS; step++) {
            Binding binding = at(next);
            if (!(binding instanceof Binding.Link link)) {
                return binding;
            }
            String lookup = link.reference().lookup();
            if (lookup == null) {
                return ofServer(next);
            }
            next = absolute(lookup);
        }
        // The links form a cycle, so the name has no target.
        return null;
    }

    /**
     * Converts the look-up name of a reference to a full name. A name without {@code java:}, for example from {@code mapped-name}, is a
     * name below {@code java:comp/env/} if the application has bound it there. Otherwise, it is a name below {@code java:global/}.
     */
    private String absolute(String lookup) {
        if (lookup.startsWith("java:") || bindings.containsKey(ENVIRONMENT + lookup)) {
            return ResourceName.full(lookup);
        }
        return GlobalNames.PREFIX + lookup;
    }

    private @Nullable Binding at(String fullName) {
        return fullName.startsWith(GlobalNames.PREFIX)
                ? global(fullName.substring(GlobalNames.PREFIX.length()))
                : bindings.get(fullName);
    }

    /** The server's binding for a name below {@code java:comp/env/}. It has the same name below {@code java:global/}. */
    private @Nullable Binding ofServer(String fullName) {
        return fullName.startsWith(ENVIRONMENT) ? global(fullName.substring(ENVIRONMENT.length())) : null;
    }

    private @Nullable Binding global(String name) {
        Binding bound = globals.find(GlobalNames.PREFIX + name);
        ConfiguredSource source = bound == null ? globals.source(name) : null;
        if (source == null) {
            return bound;
        }
        return new Binding.Pooled(configured(name, source));
    }

    /** The application's pool for a configured data source. After the end of the application it is closed, and cannot be opened. */
    private PooledSource configured(String name, ConfiguredSource source) {
        synchronized (this) {
            PooledSource pool = configured.get(name);
            if (pool == null) {
                pool = new PooledSource(source, declarations.application(), declarations.loader());
                configured.put(name, pool);
                if (state == State.ENDED) {
                    pool.close();
                }
            }
            return pool;
        }
    }

    /** All full names that the application can look up, in order. */
    SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>(bindings.keySet());
        globals.names().forEach(names::add);
        return names;
    }

    @Override
    public void close() {
        ThreadApplications.remove(declarations.loader(), this);
        shared.forEach(globals::unbind);
        bindings.values().forEach(ApplicationNames::closePool);
        shared.values().forEach(ApplicationNames::closePool);
        List<PooledSource> pools;
        synchronized (this) {
            state = State.ENDED;
            pools = List.copyOf(configured.values());
        }
        pools.forEach(PooledSource::close);
    }

    private static void closePool(Binding binding) {
        if (binding instanceof Binding.Pooled pooled) {
            pooled.source().close();
        }
    }

    @Override
    public String toString() {
        return "names of " + declarations.application();
    }
}
