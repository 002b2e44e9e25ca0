package io.penstock.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Inherited;
import java.util.Arrays;
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

/** Finds classes of an application by their super types and annotations. Loads only matching classes. Thread: one. */
final class TypeIndex {
    private static final Logger LOG = LoggerFactory.getLogger(TypeIndex.class);

    private final Map<String, ClassFacts> own = new LinkedHashMap<>();
    /**
     * The super types outside the application that have been looked up so far. The value is empty for a type without a readable class file.
     */
    private final Map<String, Optional<ClassFacts>> outside = new HashMap<>();

    /**
     * How to look up super types outside the application.
     *
     * @param platform whether the JDK's classes are looked up, too. This is necessary only if a requested type belongs to the JDK: super
     * types and annotations of the JDK's classes are in the JDK, too
     */
    private record Outside(ClassLoader loader, boolean platform) {
        static Outside of(Class<?>[] types, ClassLoader loader) {
            return new Outside(loader, Arrays.stream(types).anyMatch(Outside::isOfPlatform));
        }

        private static boolean isOfPlatform(Class<?> type) {
            return type.getClassLoader() == null || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
        }

        boolean has(String name) {
            return platform || !name.startsWith("java.");
        }
    }

    TypeIndex(Collection<ClassFacts> classes) {
        classes.forEach(facts -> own.putIfAbsent(facts.name(), facts));
    }

    /**
     * The application's classes that extend or implement one of {@code types}, or that have one of them as an annotation: on the class, on
     * a member, or by inheritance. The {@code types} themselves are not included. A class that cannot be loaded, for example because an
     * optional library is absent, is logged and left out (Servlet 8.2.4).
     */
    Set<Class<?>> matching(Class<?>[] types, ClassLoader loader) {
        Set<String> names = new HashSet<>();
        Set<String> inherited = new HashSet<>();
        for (Class<?> type : types) {
            names.add(type.getName());
            if (type.isAnnotationPresent(Inherited.class)) {
                inherited.add(type.getName());
            }
        }
        Outside around = Outside.of(types, loader);
        Set<Class<?>> matching = new LinkedHashSet<>();
        for (ClassFacts facts : own.values()) {
            if (!names.contains(facts.name())
                    && (matches(facts, names, around) || inherits(facts, inherited, around))) {
                try {
                    matching.add(Class.forName(facts.name(), false, loader));
                } catch (ClassNotFoundException | LinkageError e) {
                    LOG.debug("{} cannot be loaded, and no initializer gets it: {}", facts.name(), e.toString());
                }
            }
        }
        return matching;
    }

    private boolean matches(ClassFacts facts, Set<String> names, Outside around) {
        if (facts.annotations().stream().anyMatch(names::contains)) {
            return true;
        }
        return isSubtype(facts, names, around, new HashSet<>());
    }

    /** Whether the class inherits one of the annotations from a super class. */
    private boolean inherits(ClassFacts facts, Set<String> inherited, Outside around) {
        // Without this set, the loop would not end if class files of several libraries form a cycle of super classes.
        Set<String> seen = new HashSet<>();
        ClassFacts next = inherited.isEmpty() ? null : facts;
        while (next != null && next.superName() != null && seen.add(next.superName())) {
            next = find(next.superName(), around).orElse(null);
            if (next != null && next.declared().keySet().stream().anyMatch(inherited::contains)) {
                return true;
            }
        }
        return false;
    }

    private boolean isSubtype(ClassFacts facts, Set<String> names, Outside around, Set<String> seen) {
        Set<String> parents = new LinkedHashSet<>(facts.interfaces());
        if (facts.superName() != null) {
            parents.add(facts.superName());
        }
        for (String parent : parents) {
            if (names.contains(parent)) {
                return true;
            }
            if (seen.add(parent) && !parent.equals("java.lang.Object")) {
                Optional<ClassFacts> known = find(parent, around);
                if (known.isPresent() && isSubtype(known.get(), names, around, seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    private Optional<ClassFacts> find(String name, Outside around) {
        ClassFacts facts = own.get(name);
        if (facts != null) {
            return Optional.of(facts);
        }
        return around.has(name)
                ? outside.computeIfAbsent(name, absent -> readOutside(absent, around.loader))
                : Optional.empty();
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
