package io.penstock.arrows;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The allowed imports between the packages of the container. Each package has a row in a table. The row has a number. A package can import
 * packages with a lower number. All packages can import the JDK, the Servlet API and slf4j. A row can also list classes and packages that
 * must not be imported. A sub-package has the row of its parent package.
 */
public final class PackageArrows {
    private static final String ROOT = "";

    private static final Set<String> SOCKETS = Set.of(
            "java.net.Socket",
            "java.net.ServerSocket",
            "java.nio.channels.AsynchronousServerSocketChannel",
            "java.nio.channels.AsynchronousSocketChannel",
            "java.nio.channels.DatagramChannel",
            "java.nio.channels.NetworkChannel",
            "java.nio.channels.SelectableChannel",
            "java.nio.channels.SelectionKey",
            "java.nio.channels.Selector",
            "java.nio.channels.ServerSocketChannel",
            "java.nio.channels.SocketChannel");

    private static final Set<String> THREADS = Set.of(
            "java.lang.Thread",
            "java.util.concurrent.locks",
            "java.util.concurrent.CompletableFuture",
            "java.util.concurrent.Executor",
            "java.util.concurrent.ExecutorService",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ScheduledExecutorService",
            "java.util.concurrent.ThreadFactory");

    private static final Set<String> SERVLETS = Set.of("jakarta.servlet");

    private static final Set<String> REQUESTS = Set.of(
            "jakarta.servlet.ServletRequest",
            "jakarta.servlet.ServletResponse",
            "jakarta.servlet.http.HttpServletRequest",
            "jakarta.servlet.http.HttpServletResponse");

    private static final List<Row> ROWS = List.of(
            row(0, "time").without(SOCKETS, SERVLETS),
            row(0, "address").without(SOCKETS, SERVLETS, THREADS),
            row(0, "memory").without(SOCKETS, SERVLETS),
            row(0, "events").without(SOCKETS, SERVLETS),
            row(0, "challenges").without(SOCKETS, SERVLETS, THREADS),
            row(0, "telemetry").without(SOCKETS, SERVLETS),
            row(0, "realm").without(SOCKETS, SERVLETS), // Pbkdf2 calls Thread.yield, so THREADS is allowed
            row(0, "store").without(SOCKETS, SERVLETS, THREADS),
            row(1, "limits").without(SOCKETS, SERVLETS),
            row(2, "part").without(SOCKETS),
            row(2, "pipe").without(SOCKETS, SERVLETS),
            row(2, "spool").without(SOCKETS, SERVLETS),
            row(2, "http").without(SOCKETS, SERVLETS, THREADS),
            row(2, "mapping").without(SOCKETS, SERVLETS),
            row(2, "classfile").without(SOCKETS, SERVLETS, THREADS),
            row(2, "environment").without(SOCKETS, SERVLETS),
            row(2, "accesslog").without(SOCKETS, SERVLETS),
            row(2, "flight").without(SOCKETS, SERVLETS, THREADS),
            row(2, "metrics").without(SOCKETS, SERVLETS, THREADS),
            // Methods of the JDK's key managers have sockets as parameters, so SOCKETS is allowed.
            row(2, "certificates").without(SERVLETS, THREADS),
            row(3, "ldap").without(SERVLETS),
            row(3, "reactor").without(SERVLETS).withoutPackages("http", "mapping"),
            row(3, "rules").without(SOCKETS, SERVLETS, THREADS),
            row(3, "work").without(SOCKETS, SERVLETS).withoutPackages("http", "mapping", "pipe", "spool"),
            row(4, "exchange").without(SOCKETS, SERVLETS),
            row(5, "http1").without(SOCKETS, SERVLETS),
            row(5, "http2").without(SOCKETS, SERVLETS),
            row(5, "tls").without(SOCKETS, SERVLETS).withoutPackages("http", "mapping"),
            row(5, "proxy").without(SOCKETS, SERVLETS).withoutPackages("http", "mapping"),
            row(5, "session").without(SOCKETS, REQUESTS).withoutPackages("exchange", "http"),
            row(6, "context").without(SOCKETS),
            row(7, "request").without(SOCKETS),
            row(7, "injection").without(SOCKETS, REQUESTS),
            row(8, "security").without(SOCKETS),
            row(8, "dispatch").without(SOCKETS),
            row(8, "files").without(SOCKETS),
            row(9, "deploy").without(SOCKETS).withoutPackages("http1", "reactor"),
            row(10, "develop").without(SOCKETS, THREADS, SERVLETS).withoutPackages("http1", "reactor"),
            row(10, "admin").without(SOCKETS).withoutPackages("http1", "reactor"),
            row(11, "server"),
            row(12, ROOT));

    private static final Set<String> FORBIDDEN_NAMES = Set.of("util", "common", "impl", "core", "helper");

    private static final Set<String> ALLOWED_FOR_ALL_PACKAGES = Set.of(
            "java", "jakarta.servlet", "org.slf4j", "org.jspecify.annotations", "com.google.errorprone.annotations");

    /** Further allowed imports of single packages. For example, only {@code classfile} and {@code deploy} may use ASM to read class files. */
    private static final Map<String, Set<String>> ALLOWED_FOR_SOME_PACKAGES = Map.ofEntries(
            Map.entry("classfile", Set.of("org.objectweb.asm")),
            Map.entry("deploy", Set.of("org.objectweb.asm", "javax.xml", "org.xml.sax")),
            Map.entry("part", Set.of("javax.net.ssl")),
            Map.entry("tls", Set.of("javax.net.ssl")),
            Map.entry("certificates", Set.of("javax.net.ssl", "javax.crypto", "javax.security.auth")),
            Map.entry("security", Set.of("javax.security.auth", "javax.crypto")),
            Map.entry("ldap", Set.of("javax.naming", "javax.net")),
            Map.entry("develop", Set.of("javax.tools")),
            Map.entry("environment", Set.of("javax.sql")),
            Map.entry("work", Set.of("javax.management")),
            Map.entry("admin", Set.of("javax.management", "jdk.jfr")),
            Map.entry("flight", Set.of("jdk.jfr")),
            Map.entry("realm", Set.of("javax.crypto", "javax.sql")),
            Map.entry("server", Set.of("javax.management")));

    private final String root;
    private final Map<String, Row> rows;

    /** @param root the package whose sub-packages are checked */
    public PackageArrows(String root) {
        this.root = root;
        this.rows = ROWS.stream().collect(toMap(Row::name, Function.identity()));
    }

    /** Returns a rule with a violation for each forbidden import. A row for a package without classes is not a violation. */
    public ArchRule rule() {
        return ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(root + "..")
                .should(keepToTheirRow())
                .allowEmptyShould(true);
    }

    private ArchCondition<JavaClass> keepToTheirRow() {
        return new ArchCondition<>("import only what the row of their package allows") {
            @Override
            public void check(JavaClass subject, ConditionEvents events) {
                problems(subject)
                        .distinct()
                        .forEach(problem -> events.add(SimpleConditionEvent.violated(subject, problem)));
            }
        };
    }

    private Stream<String> problems(JavaClass subject) {
        String in = subject.getPackageName();
        if (Stream.of(in.split("\\.")).anyMatch(FORBIDDEN_NAMES::contains)) {
            return Stream.of(in + " has a name that says nothing");
        }
        Row row = rows.get(partOf(in));
        if (row == null) {
            return Stream.of(in + " has no row in the table of packages");
        }
        return subject.getDirectDependenciesFromSelf().stream()
                .filter(dependency -> !isAllowed(row, target(dependency)))
                .map(dependency -> row.describe() + " must not import "
                        + target(dependency).getFullName() + ": " + dependency.getDescription());
    }

    private static JavaClass target(Dependency dependency) {
        return dependency.getTargetClass().getBaseComponentType();
    }

    private boolean isAllowed(Row row, JavaClass other) {
        String name = other.getFullName();
        if (other.isPrimitive()) {
            return true;
        }
        if (isWithin(name, root)) {
            String part = partOf(other.getPackageName());
            Row target = rows.get(part);
            return part.equals(row.name)
                    || (target != null && target.number < row.number && !row.forbiddenPackages.contains(part));
        }
        return row.forbiddenTypes.stream().noneMatch(prefix -> isWithin(name, prefix))
                && Stream.of(ALLOWED_FOR_ALL_PACKAGES, ALLOWED_FOR_SOME_PACKAGES.getOrDefault(row.name, Set.of()))
                        .flatMap(Set::stream)
                        .anyMatch(prefix -> isWithin(name, prefix));
    }

    private static boolean isWithin(String name, String prefix) {
        return name.equals(prefix) || name.startsWith(prefix + ".") || name.startsWith(prefix + "$");
    }

    /** Returns the first name below the root: {@code http} for {@code io.penstock.http.multipart}. */
    private String partOf(String packageName) {
        return packageName.equals(root)
                ? ROOT
                : packageName.substring(root.length() + 1).split("\\.")[0];
    }

    private static Row row(int number, String name) {
        return new Row(number, name, Set.of(), Set.of());
    }

    private record Row(int number, String name, Set<String> forbiddenTypes, Set<String> forbiddenPackages) {
        @SafeVarargs
        final Row without(Set<String>... prefixes) {
            Set<String> all = Stream.of(prefixes).flatMap(Set::stream).collect(toUnmodifiableSet());
            return new Row(number, name, all, forbiddenPackages);
        }

        Row withoutPackages(String... parts) {
            return new Row(number, name, forbiddenTypes, Set.of(parts));
        }

        String describe() {
            return (name.isEmpty() ? "the root package" : "'" + name + "'") + " (row " + number + ")";
        }
    }
}
