package io.penstock.boot.autoconfigure;

import io.penstock.boot.ConfigurablePenstockWebServerFactory;
import io.penstock.limits.Key;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Finds the configuration keys of a server in the properties of an application. Such a property has the prefix {@code server.penstock.} and
 * the name of a key.
 */
final class PenstockProperties {
    static final String PREFIX = "server.penstock";

    private static final ConfigurationPropertyName ALL = ConfigurationPropertyName.of(PREFIX);

    /** The keys that Boot's own properties replace. Boot's properties also support the management port and tests. */
    private static final Map<String, String> OF_BOOT = Map.ofEntries(
            Map.entry("port", "server.port"),
            Map.entry("host", "server.address"),
            Map.entry("session-timeout", "server.servlet.session.timeout"),
            Map.entry("session-cookie-name", "server.servlet.session.cookie.name"),
            Map.entry("session-cookie-path", "server.servlet.session.cookie.path"),
            Map.entry("session-cookie-same-site", "server.servlet.session.cookie.same-site"),
            Map.entry("session-cookie-domain", "server.servlet.session.cookie.domain"),
            Map.entry("session-cookie-max-age", "server.servlet.session.cookie.max-age"),
            Map.entry("session-cookie-http-only", "server.servlet.session.cookie.http-only"),
            Map.entry("session-cookie-secure", "server.servlet.session.cookie.secure"),
            Map.entry("session-cookie-partitioned", "server.servlet.session.cookie.partitioned"),
            Map.entry("session-tracking", "server.servlet.session.tracking-modes"));

    private PenstockProperties() {}

    /**
     * A configuration key with its value.
     *
     * @param where the origin of the value
     */
    record Property(String key, String value, String where) {

        void applyTo(ConfigurablePenstockWebServerFactory factory) {
            factory.set(key, value, where);
        }
    }

    /**
     * @throws UnknownPropertyException if a name is not a key
     * @throws InvalidConfigurationPropertyValueException if Boot has a property for the key
     */
    static List<Property> of(ConfigurableEnvironment environment) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            sources.add(
                    isOfVariables(source)
                            ? source.filter(name -> !ServiceVariables.contain(source.getConfigurationProperty(name)))
                            : source);
        }
        Binder binder = new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
        List<Property> found = new ArrayList<>();
        for (Key key : Key.values()) {
            ConfigurationPropertyName name = ALL.append(key.id());
            Origins origin = new Origins(name);
            String value = binder.bind(name, Bindable.of(String.class), origin).orElse(null);
            if (value != null) {
                refuseOfBoot(key.id(), value);
                found.add(new Property(key.id(), value, origin.text()));
            }
        }
        sources.forEach(PenstockProperties::refuseUnknown);
        return found;
    }

    /** Whether Boot has its own property that replaces the key. */
    static boolean isOfBoot(String key) {
        return OF_BOOT.containsKey(key);
    }

    private static void refuseOfBoot(String key, String value) {
        String instead = OF_BOOT.get(key);
        if (instead != null) {
            throw new InvalidConfigurationPropertyValueException(
                    PREFIX + "." + key, value, "The property is " + instead + ".");
        }
    }

    /**
     * Throws an exception if a property is unknown. The properties are sorted. So the exception always names the same property if several
     * are unknown.
     */
    private static void refuseUnknown(ConfigurationPropertySource source) {
        if (source instanceof IterableConfigurationPropertySource all) {
            Set<ConfigurationPropertyName> known = names(isOfVariables(source));
            all.stream()
                    .filter(ALL::isAncestorOf)
                    .filter(name -> !known.contains(name))
                    .sorted(Comparator.comparing(ConfigurationPropertyName::toString))
                    .map(source::getConfigurationProperty)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(PenstockProperties::refuse);
        }
    }

    private static void refuse(ConfigurationProperty unknown) {
        throw new UnknownPropertyException(unknown.getName().toString(), unknown.getOrigin());
    }

    /**
     * The property names of all keys. In environment variables, a key can have two forms. {@code BODY_LIMIT} has the two elements {@code
     * body} and {@code limit}. {@code BODYLIMIT} has one element.
     */
    private static Set<ConfigurationPropertyName> names(boolean ofVariables) {
        Set<ConfigurationPropertyName> names = new HashSet<>();
        for (Key key : Key.values()) {
            names.add(ALL.append(key.id()));
            if (ofVariables) {
                names.add(ConfigurationPropertyName.of(PREFIX + "." + key.id().replace('-', '.')));
            }
        }
        return names;
    }

    private static boolean isOfVariables(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }
}
