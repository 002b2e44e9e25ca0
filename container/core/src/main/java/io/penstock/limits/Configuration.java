package io.penstock.limits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** A value for every {@link Key}, with its origin, and the settings of single applications. Immutable. */
public final class Configuration {

    private final Map<Key, Setting> settings;
    private final List<ApplicationSetting> ofApplications;

    private Configuration(Map<Key, Setting> settings, List<ApplicationSetting> ofApplications) {
        this.settings = settings;
        this.ofApplications = ofApplications;
    }

    /** A configuration in which every key has its default. */
    public static Configuration defaults() {
        return of(Map.of(), List.of());
    }

    /**
     * The given values, and the defaults of all other keys. A default can depend on the value of a key that is declared earlier in {@link
     * Key}.
     */
    static Configuration of(Map<Key, Setting> given, Collection<ApplicationSetting> ofApplications) {
        Map<Key, Setting> all = new EnumMap<>(Key.class);
        for (Key key : Key.values()) {
            Setting setting = given.get(key);
            all.put(key, setting != null ? setting : byDefault(key, all));
        }
        return new Configuration(all, List.copyOf(ofApplications));
    }

    private static Setting byDefault(Key key, Map<Key, Setting> earlier) {
        String text = key.defaultText(other -> of(other, earlier).value());
        return Setting.parse(key, text, new Origin.ByDefault());
    }

    public Setting setting(Key key) {
        return of(key, settings);
    }

    /** Returns a copy of this configuration, in which {@code keys} have their values in {@code other}. */
    public Configuration with(Set<Key> keys, Configuration other) {
        Map<Key, Setting> all = new EnumMap<>(settings);
        keys.forEach(key -> all.put(key, other.setting(key)));
        return new Configuration(all, ofApplications);
    }

    /**
     * The names of the keys and of the application settings that differ between this configuration and {@code other}. A key that has its
     * default in both configurations is omitted.
     */
    public List<String> differences(Configuration other) {
        List<String> names = new ArrayList<>();
        for (Setting setting : settings.values()) {
            Setting there = other.setting(setting.key());
            if (!setting.value().equals(there.value()) && !(setting.isDefault() && there.isDefault())) {
                names.add(setting.key().id());
            }
        }
        Map<String, Object> own = valuesOfApplications();
        Map<String, Object> others = other.valuesOfApplications();
        Set<String> ids = new TreeSet<>(own.keySet());
        ids.addAll(others.keySet());
        ids.removeIf(id -> Objects.equals(own.get(id), others.get(id)));
        names.addAll(ids);
        return names;
    }

    private Map<String, Object> valuesOfApplications() {
        Map<String, Object> values = new HashMap<>();
        ofApplications.forEach(setting -> values.put(setting.id(), setting.text()));
        return values;
    }

    /** One setting for each key, in the order of {@link Key}. */
    public List<Setting> settings() {
        return List.copyOf(settings.values());
    }

    /** Whether the value differs from the default that the key has in {@code penstock.jar} beside the values of the other keys. */
    boolean isChanged(Setting setting) {
        Key key = setting.key();
        String ofJar = key.defaultOfJar();
        String byDefault =
                ofJar == null ? key.defaultText(other -> of(other, settings).value()) : ofJar;
        return !setting.value()
                .equals(Setting.parse(key, byDefault, new Origin.ByDefault()).value());
    }

    /** The settings of applications, in the order of their names. */
    public List<ApplicationSetting> applicationSettings() {
        return ofApplications;
    }

    /**
     * The settings of one application.
     *
     * @param location the location of the application's context, as {@link ContextLocation} writes it; empty for the root of the default host
     */
    public ApplicationSettings application(String location) {
        String name = ContextLocation.canonical(location);
        return ApplicationSettings.of(
                this,
                ofApplications.stream()
                        .filter(setting -> setting.location().equals(name))
                        .toList());
    }

    /** Whether the configuration allows any application's archive to be converted from {@code javax.servlet}. */
    public boolean migratesJavax() {
        return Deploying.of(this).migrateJavax() == Switch.ON
                || ofApplications.stream()
                        .anyMatch(setting ->
                                setting.key() == ApplicationKey.MIGRATE_JAVAX && setting.value() == Switch.ON);
    }

    public int number(Key key) {
        return (Integer) setting(key).value();
    }

    public long bytes(Key key) {
        return (Long) setting(key).value();
    }

    /** The value of a key in bytes. The value must not exceed {@link Integer#MAX_VALUE}, the maximum length of a buffer. */
    int bufferBytes(Key key) {
        Check.atMost(key, bytes(key), Integer.MAX_VALUE);
        return (int) bytes(key);
    }

    public Duration duration(Key key) {
        return (Duration) setting(key).value();
    }

    public String text(Key key) {
        return (String) setting(key).value();
    }

    private static Setting of(Key key, Map<Key, Setting> settings) {
        Setting setting = settings.get(key);
        if (setting == null) {
            throw new IllegalStateException(key + " has no value yet");
        }
        return setting;
    }
}
