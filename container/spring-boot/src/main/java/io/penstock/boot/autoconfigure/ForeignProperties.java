package io.penstock.boot.autoconfigure;

import io.penstock.address.Network;
import io.penstock.boot.ConfigurablePenstockWebServerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.unit.DataSize;

/**
 * The properties of other servers that an application sets: {@code server.tomcat}, {@code server.jetty} and {@code server.undertow}. Those
 * with an equal meaning set keys of this server. One warning lists all, each with what becomes of it. {@code foreign.table} has the answers.
 *
 * <p>Thread: the thread that starts the application.
 */
final class ForeignProperties {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignProperties.class);

    private static final List<ConfigurationPropertyName> SERVERS = List.of(
            ConfigurationPropertyName.of("server.tomcat"),
            ConfigurationPropertyName.of("server.jetty"),
            ConfigurationPropertyName.of("server.undertow"));

    private static final String WILDCARD = ".*";
    private static final String DEFAULT_PROXIES =
            "127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, 100.64.0.0/10, ::1, fe80::/10,"
                    + " fc00::/7";

    private final List<ConfigurationPropertySource> sources = new ArrayList<>();
    private final Binder binder;
    private final ConfigurablePenstockWebServerFactory factory;

    /** What became of each property that is set. */
    private final Map<String, String> told = new LinkedHashMap<>();

    /** How the table answers. */
    enum Sign {
        KEY('='),
        CODE(':'),
        NOT_NEEDED('-'),
        INSTEAD('!');

        private final char written;

        Sign(char written) {
            this.written = written;
        }

        private static Sign of(char written) {
            return Arrays.stream(values())
                    .filter(sign -> sign.written == written)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no sign of the table: " + written));
        }
    }

    /**
     * A property of another server.
     *
     * @param text the text of the table behind the sign
     */
    record Foreign(String name, Sign sign, String text) {

        /** The keys that the property sets; empty if it has no effect. */
        List<String> keys() {
            return switch (sign) {
                case KEY -> List.of(text.split(" ")[0].split(","));
                case CODE -> List.of(text.split("\\|")[0].strip());
                case NOT_NEEDED, INSTEAD -> List.of();
            };
        }

        /** The properties of this server for the keys, in words of the documentation. */
        String properties() {
            return keys().stream().map(key -> "`server.penstock." + key + "`").collect(Collectors.joining(", "));
        }

        /** What becomes of the property, in words of the documentation. */
        String answer() {
            return switch (sign) {
                case KEY -> "works as " + properties();
                case CODE -> "works as " + properties() + ": " + text.split("\\|")[1].strip();
                case NOT_NEEDED -> "not needed: " + text;
                case INSTEAD -> "no effect; instead: " + text;
            };
        }
    }

    private ForeignProperties(ConfigurableEnvironment environment, ConfigurablePenstockWebServerFactory factory) {
        ConfigurationPropertySources.get(environment).forEach(sources::add);
        binder = Binder.get(environment);
        this.factory = factory;
    }

    /** All properties of other servers that are known, in the order of the documentation. */
    static List<Foreign> all() {
        try (InputStream in = ForeignProperties.class.getResourceAsStream("foreign.table")) {
            String table = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return table.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .flatMap(line -> {
                        String[] columns = line.split("  ", 2);
                        Sign sign = Sign.of(columns[1].charAt(0));
                        String text = columns[1].substring(1).strip();
                        return Arrays.stream(columns[0].split(",")).map(name -> new Foreign(name, sign, text));
                    })
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sets the keys for the properties that have an equal meaning.
     *
     * @param virtualThreads whether the workers are virtual threads; other servers then do not use the number of threads
     * @param forwards whether the server uses the fields of proxies already
     * @return what became of each property that is set, by its name
     */
    static Map<String, String> applyTo(
            ConfigurablePenstockWebServerFactory factory,
            ConfigurableEnvironment environment,
            boolean virtualThreads,
            boolean forwards) {
        ForeignProperties properties = new ForeignProperties(environment, factory);
        if (!properties.mayBeAny()) {
            return Map.of();
        }
        List<Foreign> all = all();
        for (Foreign foreign : all) {
            if (properties.isSet(foreign.name())) {
                properties.apply(foreign, virtualThreads);
            }
        }
        properties.accessLogs();
        properties.proxies(forwards);
        properties.addUnknown(all);
        return properties.told;
    }

    /** Warns about the properties of other servers that are set, in one message. */
    static void warn(Map<String, String> told) {
        if (!told.isEmpty()) {
            LOG.warn(
                    "Properties of other servers are set. Use the properties of Penstock instead:{}",
                    told.entrySet().stream()
                            .map(property -> System.lineSeparator() + "  " + property.getKey() + ": "
                                    + property.getValue().replace("`", "").replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1"))
                            .collect(Collectors.joining()));
        }
    }

    /** Whether a source has, or may have, such properties. Most applications have none, and their start does not read the table. */
    private boolean mayBeAny() {
        return SERVERS.stream().anyMatch(server -> sources.stream()
                .anyMatch(source -> source.containsDescendantOf(server) != ConfigurationPropertyState.ABSENT));
    }

    private boolean hasDescendant(ConfigurationPropertyName name) {
        return sources.stream()
                .anyMatch(source -> source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT);
    }

    private boolean isSet(String property) {
        if (property.endsWith(WILDCARD)) {
            return false; // addUnknown lists each
        }
        ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
        return sources.stream().anyMatch(source -> source.getConfigurationProperty(name) != null)
                || hasDescendant(name);
    }

    private @Nullable String text(String property) {
        return binder.bind(property, String.class).orElse(null);
    }

    private boolean isOn(String property, boolean otherwise) {
        return binder.bind(property, Boolean.class).orElse(otherwise);
    }

    private void apply(Foreign foreign, boolean virtualThreads) {
        told.put(foreign.name(), foreign.answer());
        if (foreign.sign() == Sign.KEY) {
            String value = value(foreign.name(), foreign.text().split(" ")[1]);
            if (value == null) {
                told.put(foreign.name(), "no effect: it is empty, or means no limit; instead: " + foreign.properties());
                return;
            }
            foreign.keys().forEach(key -> factory.set(key, value, foreign.name()));
        } else if (foreign.keys().contains("workers")) {
            Integer workers = binder.bind(foreign.name(), Integer.class).orElse(null);
            if (virtualThreads || workers == null || workers < 1) {
                told.put(foreign.name(), "no effect with virtual threads; instead: server.penstock.workers");
            } else {
                factory.set("workers", Integer.toString(workers), foreign.name());
            }
        }
    }

    /** The value of the property as that of a key; null if it stands for no limit, or is empty. */
    private @Nullable String value(String property, String type) {
        return switch (type) {
            case "number" ->
                limit(binder.bind(property, Bindable.of(Integer.class)).orElse(0));
            case "bytes" ->
                limit(binder.bind(property, Bindable.of(DataSize.class))
                        .orElse(DataSize.ofBytes(0))
                        .toBytes());
            case "time" -> {
                String millis = limit(binder.bind(property, Bindable.of(Duration.class))
                        .orElse(Duration.ZERO)
                        .toMillis());
                yield millis == null ? null : millis + "ms";
            }
            case "redirects" -> isOn(property, false) ? "relative" : "absolute";
            case "fields" -> "standard".equalsIgnoreCase(text(property)) ? "forwarded" : "x-forwarded";
            default -> throw new IllegalStateException("no type of the table: " + type);
        };
    }

    private static @Nullable String limit(long value) {
        return value <= 0 ? null : Long.toString(value);
    }

    private void accessLogs() {
        Path base = Path.of(Objects.requireNonNullElse(text("server.tomcat.basedir"), ""));
        if (isOn("server.tomcat.accesslog.enabled", false)) {
            log("server.tomcat.accesslog", base, "directory", "access_log", ".log");
            String days = text("server.tomcat.accesslog.max-days");
            if (days != null) {
                factory.set("access-log-keep", days.startsWith("-") ? "0" : days, "server.tomcat.accesslog.max-days");
            }
            condition("access-log-if", "server.tomcat.accesslog.condition-if");
            condition("access-log-unless", "server.tomcat.accesslog.condition-unless");
        } else if (isOn("server.jetty.accesslog.enabled", false)) {
            String file = text("server.jetty.accesslog.filename");
            String name = file == null ? "-" : file.replaceAll("[._-]?yyyy_mm_dd", "");
            set("access-log", name, "server.jetty.accesslog.filename");
            String format = text("server.jetty.accesslog.format");
            boolean common = format != null && format.equalsIgnoreCase("ncsa");
            set("access-log-format", common ? "common" : "combined", "server.jetty.accesslog.format");
            if (file != null) {
                set("access-log-rotate", "daily", "server.jetty.accesslog.filename");
                set(
                        "access-log-keep",
                        Objects.requireNonNullElse(text("server.jetty.accesslog.retention-period"), "31"),
                        "server.jetty.accesslog.retention-period");
                makeFolder(Path.of(name));
            }
        } else if (isOn("server.undertow.accesslog.enabled", false)) {
            log("server.undertow.accesslog", Path.of(""), "dir", "access_log.", "log");
        }
    }

    /** Sets a condition for the lines of the access log. The property has the name of an attribute of the request. */
    private void condition(String key, String property) {
        String attribute = text(property);
        if (attribute != null) {
            set(key, "x-attribute(" + attribute + ")", property);
        }
    }

    private void set(String key, String value, String where) {
        factory.set(key, value, where);
    }

    private void log(String prefix, Path base, String folder, String name, String suffix) {
        Path file = base.resolve(Objects.requireNonNullElse(text(prefix + "." + folder), "logs"))
                .resolve(Objects.requireNonNullElse(text(prefix + ".prefix"), name)
                        + Objects.requireNonNullElse(text(prefix + ".suffix"), suffix));
        makeFolder(file);
        set("access-log", file.toString(), prefix + ".enabled");
        String pattern = Objects.requireNonNullElse(text(prefix + ".pattern"), "common");
        set("access-log-format", pattern.equals("common") ? "common" : "combined", prefix + ".pattern");
        set("access-log-rotate", isOn(prefix + ".rotate", true) ? "daily" : "never", prefix + ".rotate");
    }

    private static void makeFolder(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        try {
            if (folder != null) {
                Files.createDirectories(folder);
            }
        } catch (IOException e) {
            LOG.warn("The folder of the access log cannot be made: {}", folder, e);
        }
    }

    private void proxies(boolean forwards) {
        String prefix = "server.tomcat.remoteip.";
        String address = Objects.requireNonNullElse(text(prefix + "remote-ip-header"), "");
        String protocol = Objects.requireNonNullElse(text(prefix + "protocol-header"), "");
        boolean named = !address.isEmpty() || !protocol.isEmpty();
        boolean usual = (address.isEmpty() || address.equalsIgnoreCase("X-Forwarded-For"))
                && (protocol.isEmpty() || protocol.equalsIgnoreCase("X-Forwarded-Proto"));
        if (!named && !forwards || !usual) {
            return;
        }
        String internal = text(prefix + "internal-proxies");
        String trusted = text(prefix + "trusted-proxies");
        if (internal == null && trusted == null && forwards) {
            return;
        }
        String networks = (internal == null ? DEFAULT_PROXIES : internal) + (trusted == null ? "" : ", " + trusted);
        try {
            Arrays.stream(networks.split(",")).map(String::strip).forEach(Network::parse);
            factory.set("trusted-proxies", networks, prefix + "internal-proxies");
        } catch (IllegalArgumentException e) {
            told.put(
                    prefix + (internal == null ? "trusted-proxies" : "internal-proxies"),
                    "no effect, since " + e.getMessage() + ". " + (forwards ? "Private networks are" : "No proxy is")
                            + " trusted; instead: server.penstock.trusted-proxies");
        }
    }

    /** Lists the properties that no version of the table has, and those of a wildcard. Variables of the environment may be those of others. */
    private void addUnknown(List<Foreign> all) {
        List<Foreign> wildcards = all.stream()
                .filter(foreign -> foreign.name().endsWith(WILDCARD))
                .toList();
        for (ConfigurationPropertySource source : sources) {
            if (!(source instanceof IterableConfigurationPropertySource names)
                    || source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource) {
                continue;
            }
            names.stream()
                    .filter(name -> SERVERS.stream().anyMatch(server -> server.isAncestorOf(name)))
                    .filter(name -> told.keySet().stream().noneMatch(known -> isOrContains(known, name)))
                    .map(ConfigurationPropertyName::toString)
                    .sorted()
                    .forEach(name -> told.put(
                            name,
                            wildcards.stream()
                                    .filter(foreign ->
                                            name.startsWith(foreign.name().replace("*", "")))
                                    .findFirst()
                                    .map(Foreign::answer)
                                    .orElse("no effect, and unknown")));
        }
    }

    private static boolean isOrContains(String known, ConfigurationPropertyName name) {
        ConfigurationPropertyName one = ConfigurationPropertyName.of(known);
        return one.equals(name) || one.isAncestorOf(name);
    }
}
