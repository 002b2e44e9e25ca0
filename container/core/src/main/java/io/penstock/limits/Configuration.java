package io.penstock.limits;

import io.penstock.address.ContextLocation;
import io.penstock.address.Network;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A value for every {@link Key}, with its origin, and the settings of single applications. Immutable. */
public final class Configuration {
    private static final String NONE = "none";
    private static final int MAX_PORT = 65535;

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
        return ofApplications.stream().collect(Collectors.toMap(ApplicationSetting::id, ApplicationSetting::text));
    }

    /** One setting for each key, in the order of {@link Key}. */
    public List<Setting> settings() {
        return List.copyOf(settings.values());
    }

    /** Whether the value differs from the default that the key has in {@code penstock.jar} beside the values of the other keys. */
    public boolean isChanged(Setting setting) {
        Key key = setting.key();
        String ofJar = key.defaultOfJar();
        String byDefault =
                ofJar == null ? key.defaultText(other -> of(other, settings).value()) : ofJar;
        return !setting.value()
                .equals(Setting.parse(key, byDefault, new Origin.ByDefault()).value());
    }

    /**
     * The values of a key of paths ({@link ApplicationKey#isOfPath}), by their paths as {@link ContextLocation} writes them.
     *
     * @throws ConfigurationException if a path ends with {@code /*}, so that its value would have no effect
     */
    <T> Map<String, T> ofPaths(ApplicationKey key, Function<ApplicationSetting, T> value) {
        Map<String, T> values = new HashMap<>();
        for (ApplicationSetting setting : ofApplications) {
            if (setting.key() == key) {
                setting.requirePath();
                values.put(setting.location(), value.apply(setting));
            }
        }
        return Map.copyOf(values);
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

    /** A value within the bounds of its key. */
    private Object checked(Key key) {
        Object value = setting(key).value();
        key.allowed().check(key, value);
        return value;
    }

    public int number(Key key) {
        return (Integer) checked(key);
    }

    public long bytes(Key key) {
        return (Long) checked(key);
    }

    /** The value of a key in bytes, which is the length of a buffer. */
    int bufferBytes(Key key) {
        return Math.toIntExact(bytes(key));
    }

    public Duration duration(Key key) {
        return (Duration) checked(key);
    }

    public String text(Key key) {
        return (String) checked(key);
    }

    /** The constant for the word that is the value. Its type is that of the key's words. */
    @SuppressWarnings({"unchecked", "rawtypes", "TypeParameterUnusedInFormals"})
    <E extends Enum<E>> E choice(Key key) {
        Class words = Objects.requireNonNull(key.allowed().words());
        return (E) Allowed.choice(key, text(key), words);
    }

    /** The path that is the value; null for {@code none}. */
    @Nullable
    Path file(Key key) {
        return isNone(key) ? null : path(key, text(key));
    }

    /** The path that is the value, or {@code otherwise} if the value is {@code word}. */
    Path file(Key key, String word, Path otherwise) {
        return text(key).equals(word) ? otherwise : path(key, text(key));
    }

    static Path path(Key key, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new BadValueException(key, "is not a valid path: " + e.getMessage(), e);
        }
    }

    /** The charset that is the value; null for {@code none}. */
    @Nullable
    Charset charset(Key key) {
        try {
            return isNone(key) ? null : Allowed.charset(text(key));
        } catch (IllegalArgumentException e) {
            throw new BadValueException(key, "must be a charset such as UTF-8, or none, not '" + text(key) + "'", e);
        }
    }

    /** The TCP port that is the value; -1 for {@code off}. */
    int portOrOff(Key key) {
        String text = text(key);
        if (text.equals("off")) {
            return -1;
        }
        if (!text.matches("[0-9]{1,5}")) {
            throw new BadValueException(key, "must be a port or off, not '" + text + "'");
        }
        if (Integer.parseInt(text) > MAX_PORT) {
            throw new BadValueException(key, "must be at most " + MAX_PORT + ", not " + Integer.parseInt(text));
        }
        return Integer.parseInt(text);
    }

    /** Whether the value is {@code none}. */
    boolean isNone(Key key) {
        return text(key).equals(NONE);
    }

    /** The texts between the commas of the value. They may contain blanks. */
    List<String> parts(Key key) {
        return Arrays.stream(text(key).split(",", -1)).map(String::strip).toList();
    }

    /** The names in the value, which are separated by commas or white space; {@code none} is an empty list. */
    List<String> names(Key key) {
        return names(text(key)).orElseThrow(() -> new BadValueException(key, "needs at least one name"));
    }

    /** The networks in the value. */
    List<Network> networks(Key key) {
        return networks(key, names(key));
    }

    static List<Network> networks(Key key, List<String> names) {
        try {
            return names.stream().map(Network::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new BadValueException(key, "has an invalid network: " + e.getMessage(), e);
        }
    }

    /** The names in a text; empty if the text has none. */
    static Optional<List<String>> names(String text) {
        List<String> names = Arrays.stream(text.split("[,\\s]+"))
                .filter(name -> !name.isEmpty())
                .toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(names.equals(List.of(NONE)) ? List.of() : names);
    }

    private static Setting of(Key key, Map<Key, Setting> settings) {
        Setting setting = settings.get(key);
        if (setting == null) {
            throw new IllegalStateException(key + " has no value yet");
        }
        return setting;
    }
}
