package io.penstock.boot.autoconfigure;

import io.penstock.boot.ConfigurablePenstockWebServerFactory;
import io.penstock.limits.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.ConfigurableEnvironment;

/** The keys of a server among the properties of an application: {@code server.penstock.} with any key of the configuration reference. */
final class PenstockProperties {
    static final String PREFIX = "server.penstock";

    /** Keys that Boot has properties for, which also know of the management port and of tests. */
    private static final Map<String, String> OF_BOOT = Map.of("port", "server.port", "host", "server.address");

    private PenstockProperties() {}

    /**
     * A key with its value.
     *
     * @param where its origin
     */
    record Property(String key, String value, String where) {

        void applyTo(ConfigurablePenstockWebServerFactory factory) {
            factory.set(key, value, where);
        }
    }

    /** @throws InvalidConfigurationPropertyValueException for a name that is no key, or whose value is another property of Boot */
    static List<Property> of(ConfigurableEnvironment environment) {
        Binder binder = Binder.get(environment);
        Map<String, String> given = new TreeMap<>(
                binder.bind(PREFIX, Bindable.mapOf(String.class, String.class)).orElse(Map.of()));
        List<Property> found = new ArrayList<>();
        for (Key key : Key.values()) {
            ConfigurationPropertyName name =
                    ConfigurationPropertyName.of(PREFIX).append(key.id());
            Origins origin = new Origins(name);
            Optional<String> value = Optional.ofNullable(
                    binder.bind(name, Bindable.of(String.class), origin).orElse(null));
            if (value.isPresent()) {
                refuseOfBoot(key.id(), value.get());
                found.add(new Property(key.id(), value.get(), origin.text()));
            }
            given.keySet().removeIf(other -> plain(other).equals(plain(key.id())));
        }
        given.forEach(PenstockProperties::refuseUnknown);
        return found;
    }

    /** Whether Boot has a property in place of the key. */
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

    private static void refuseUnknown(String name, String value) {
        throw new InvalidConfigurationPropertyValueException(
                PREFIX + "." + name, value, "Penstock has no such key; see its configuration reference.");
    }

    /** As Boot compares names: an environment variable has neither hyphens nor small letters. */
    private static String plain(String name) {
        return name.replace("-", "").toLowerCase(Locale.ROOT);
    }
}
