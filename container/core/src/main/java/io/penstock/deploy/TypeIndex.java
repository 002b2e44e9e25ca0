package io.penstock.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes of an application by what they extend, implement and carry as annotations, without loading those that do not match.
 * Thread: one.
 */
final class TypeIndex {
    private static final Logger LOG = LoggerFactory.getLogger(TypeIndex.class);

    private final Map<String, ClassFacts> own = new LinkedHashMap<>();
    /** Super types from outside of the application, as far as they have been asked for. */
    private final Map<String, Optional<ClassFacts>> outside = new HashMap<>();

    TypeIndex(Collection<ClassFacts> classes) {
        classes.forEach(facts -> own.putIfAbsent(facts.name(), facts));
    }

    /**
     * The application's classes that extend, implement or are annotated with one of {@code types}; not these themselves. A class
     * that cannot be loaded, for lack of an optional library, is noted in the log and left out (Servlet 8.2.4).
     */
    Set<Class<?>> matching(Class<?>[] types, ClassLoader loader) {
        Set<String> names = new HashSet<>();
        for (Class<?> type : types) {
            names.add(type.getName());
        }
        Set<Class<?>> matching = new LinkedHashSet<>();
        for (ClassFacts facts : own.values()) {
            if (!names.contains(facts.name()) && matches(facts, names, loader)) {
                try {
                    matching.add(Class.forName(facts.name(), false, loader));
                } catch (ClassNotFoundException | LinkageError e) {
                    LOG.debug("{} is not shown to initialisers: {}", facts.name(), e.toString());
                }
            }
        }
        return matching;
    }

    private boolean matches(ClassFacts facts, Set<String> names, ClassLoader loader) {
        if (facts.annotations().stream().anyMatch(names::contains)) {
            return true;
        }
        return isSubtype(facts, names, loader, new HashSet<>());
    }

    private boolean isSubtype(ClassFacts facts, Set<String> names, ClassLoader loader, Set<String> seen) {
        Set<String> parents = new LinkedHashSet<>(facts.interfaces());
        if (facts.superName() != null) {
            parents.add(facts.superName());
        }
        for (String parent : parents) {
            if (names.contains(parent)) {
                return true;
            }
            if (seen.add(parent) && !parent.equals("java.lang.Object")) {
                Optional<ClassFacts> known = find(parent, loader);
                if (known.isPresent() && isSubtype(known.get(), names, loader, seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    private Optional<ClassFacts> find(String name, ClassLoader loader) {
        ClassFacts facts = own.get(name);
        return facts != null
                ? Optional.of(facts)
                : outside.computeIfAbsent(name, absent -> readOutside(absent, loader));
    }

    private static Optional<ClassFacts> readOutside(String name, ClassLoader loader) {
        try (InputStream in = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
            return in == null ? Optional.empty() : Optional.of(ClassFacts.read(in.readAllBytes()));
        } catch (IOException | IllegalArgumentException e) {
            LOG.debug("{} cannot be read: {}", name, e.toString());
            return Optional.empty();
        }
    }
}
