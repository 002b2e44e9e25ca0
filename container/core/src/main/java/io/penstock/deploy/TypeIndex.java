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

/** Finds classes of an application by their super types and annotations. Loads only the found classes. Thread: one thread at a time. */
final class TypeIndex {
    private static final Logger LOG = LoggerFactory.getLogger(TypeIndex.class);

    private final Map<String, ClassFacts> own = new LinkedHashMap<>();
    /** Facts about types outside the application, by name. The value is empty if the class file of the type cannot be read. */
    private final Map<String, Optional<ClassFacts>> outside = new HashMap<>();

    /**
     * Settings for the lookup of super types outside the application.
     *
     * @param loader finds the class files
     * @param platform whether classes of the JDK are looked up, too. Their super types and annotations always belong to the JDK. So the
     *     lookup is necessary only if a requested type belongs to the JDK
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
     * Finds the application's classes that extend or implement one of {@code types}. If a type is an annotation, also finds the classes
     * that have this annotation on the class, on a member, or by inheritance. The {@code types} themselves are not included. Some classes
     * cannot be loaded, for example because an optional library is absent. Such classes are logged and left out (Servlet 8.2.4).
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

    /** Whether the class inherits one of the annotations in {@code inherited} from a super class. */
    private boolean inherits(ClassFacts facts, Set<String> inherited, Outside around) {
        // Class files of several libraries can form a cycle of super classes. This set ends the loop in this case.
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
