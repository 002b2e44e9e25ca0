package io.penstock.limits;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A value for every {@link Key}, with its origin. Of several values for one key a flag wins over the environment, the environment
 * over a file, and a file over the default. Immutable.
 */
public final class Configuration {

    private final Map<Key, Setting> settings;
    private final List<ApplicationSetting> ofApplications;

    private Configuration(Map<Key, Setting> settings, List<ApplicationSetting> ofApplications) {
        this.settings = settings;
        this.ofApplications = List.copyOf(ofApplications);
    }

    /** Every key has its default. */
    public static Configuration defaults() {
        return new Sources().resolve();
    }

    /** Collects values from where they are given. */
    public static Sources sources() {
        return new Sources();
    }

    public Setting setting(Key key) {
        return of(key, settings);
    }

    /** One setting for each key, in the order of the table. */
    public List<Setting> settings() {
        return List.copyOf(settings.values());
    }

    /** The settings of applications, by their names. */
    public List<ApplicationSetting> applicationSettings() {
        return ofApplications;
    }

    /**
     * What is set for one application.
     *
     * @param contextPath {@code /} or empty for the root, or {@code /name}
     */
    public ApplicationSettings application(String contextPath) {
        String path = contextPath.isEmpty() ? "/" : contextPath;
        return ApplicationSettings.of(
                this,
                ofApplications.stream()
                        .filter(setting -> setting.contextPath().equals(path))
                        .toList());
    }

    /** Whether an archive of some application may have to be converted from {@code javax.servlet}. */
    public boolean migratesJavax() {
        return serverConfig().deploying().migrateJavax() == Switch.ON
                || ofApplications.stream().anyMatch(setting -> setting.value() == Switch.ON);
    }

    public int number(Key key) {
        return (Integer) setting(key).value();
    }

    public long bytes(Key key) {
        return (Long) setting(key).value();
    }

    /** A number of bytes that must fit into one buffer. */
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

    /**
     * The same as validated records.
     *
     * @throws ConfigurationException where a value is outside its bounds
     */
    public ServerConfig serverConfig() {
        try {
            return ServerConfig.of(this);
        } catch (BadValueException e) {
            throw ConfigurationException.at(setting(e.key()).origin(), e.key().id() + " " + e.problem(), e);
        }
    }

    private static Setting of(Key key, Map<Key, Setting> settings) {
        Setting setting = settings.get(key);
        if (setting == null) {
            throw new IllegalStateException(key + " is asked for before it is known");
        }
        return setting;
    }

    /**
     * Values as they were given, not yet weighed against each other. A later flag replaces an earlier one for the same key.
     *
     * <p>Thread: one.
     */
    public static final class Sources {

        /** The environment variable with settings of applications: context paths cannot be part of a variable's name. */
        public static final String APPLICATIONS = Key.VARIABLE_PREFIX + "APPLICATIONS";

        private final Map<Key, Setting> file = new EnumMap<>(Key.class);
        private final Map<Key, Setting> environment = new EnumMap<>(Key.class);
        private final Map<Key, Setting> flags = new EnumMap<>(Key.class);
        private boolean jar;
        private final Map<String, ApplicationSetting> fileOfApplications = new HashMap<>();
        private final Map<String, ApplicationSetting> environmentOfApplications = new HashMap<>();
        private final Map<String, ApplicationSetting> flagsOfApplications = new HashMap<>();

        private Sources() {}

        /** Takes the defaults of {@code penstock.jar} where they differ from those of an embedded server. */
        public Sources jar() {
            jar = true;
            return this;
        }

        /**
         * A file in the syntax of {@link java.util.Properties}, in UTF-8.
         *
         * @throws ConfigurationException if it cannot be read, has an unknown key, a key twice, or a value that cannot be parsed
         */
        public Sources file(Path path) {
            for (PropertiesFile.Entry entry : PropertiesFile.read(path)) {
                Origin origin = new Origin.File(path, entry.line());
                if (ApplicationSetting.isNamed(entry.key())) {
                    addOnce(fileOfApplications, ApplicationSetting.parse(entry.key(), entry.value(), origin));
                    continue;
                }
                Key key = Key.named(entry.key())
                        .orElseThrow(() ->
                                new ConfigurationException("unknown key '" + entry.key() + "' (from " + origin + ")"));
                Setting earlier = file.put(key, Setting.parse(key, entry.value(), origin));
                if (earlier != null) {
                    throw twice(key.id(), earlier.origin(), origin);
                }
            }
            return this;
        }

        private static void addOnce(Map<String, ApplicationSetting> source, ApplicationSetting setting) {
            ApplicationSetting earlier = source.put(setting.id(), setting);
            if (earlier != null) {
                throw twice(setting.id(), earlier.origin(), setting.origin());
            }
        }

        private static ConfigurationException twice(String id, Origin earlier, Origin origin) {
            return new ConfigurationException(id + " is given twice (from " + earlier + " and " + origin + ")");
        }

        /**
         * The environment: {@code PENSTOCK_MAX_STREAMING} for {@code max-streaming}, and {@value #APPLICATIONS} with a line for each
         * setting of an application, written as in a file. Other variables are none of our business.
         *
         * @throws ConfigurationException for a variable that begins with {@code PENSTOCK_} and belongs to no key, or for a value
         *     that cannot be parsed
         */
        public Sources environment(Map<String, String> variables) {
            for (String variable : sortedNames(variables.keySet())) {
                if (variable.equals(APPLICATIONS)) {
                    applications(variables.getOrDefault(variable, ""));
                    continue;
                }
                Key key = Key.ofVariable(variable);
                if (key == null) {
                    throw new ConfigurationException("unknown environment variable " + variable);
                }
                String text = variables.getOrDefault(variable, "");
                environment.put(key, Setting.parse(key, text, new Origin.Environment(variable)));
            }
            return this;
        }

        private void applications(String lines) {
            for (PropertiesFile.Entry entry : PropertiesFile.lines(lines, APPLICATIONS)) {
                Origin origin = new Origin.Environment(APPLICATIONS + ", line " + entry.line());
                addOnce(environmentOfApplications, ApplicationSetting.parse(entry.key(), entry.value(), origin));
            }
        }

        /**
         * The same for a key by its name, or for a setting of an application, such as {@code /shop:exclude-scan}.
         *
         * @throws ConfigurationException also if there is none of that name
         */
        public Sources flag(String name, String text, Origin origin) {
            if (ApplicationSetting.isNamed(name)) {
                ApplicationSetting setting = ApplicationSetting.parse(name, text, origin);
                flagsOfApplications.put(setting.id(), setting);
                return this;
            }
            Key key = Key.named(name)
                    .orElseThrow(() -> new ConfigurationException("unknown key '" + name + "' (from " + origin + ")"));
            return flag(key, text, origin);
        }

        /**
         * An option of the command line, or a call by the embedding program.
         *
         * @throws ConfigurationException for a value that cannot be parsed
         */
        public Sources flag(Key key, String text, Origin origin) {
            flags.put(key, Setting.parse(key, text, origin));
            return this;
        }

        /**
         * Weighs the values and adds the defaults.
         *
         * @throws ConfigurationException where a value is outside its bounds
         */
        public Configuration resolve() {
            Map<Key, Setting> all = new EnumMap<>(Key.class);
            for (Key key : Key.values()) {
                all.put(key, winner(key, all));
            }
            Map<String, ApplicationSetting> ofApplications = new TreeMap<>(fileOfApplications);
            ofApplications.putAll(environmentOfApplications);
            ofApplications.putAll(flagsOfApplications);
            Configuration configuration = new Configuration(all, List.copyOf(ofApplications.values()));
            configuration.serverConfig();
            return configuration;
        }

        private Setting winner(Key key, Map<Key, Setting> earlier) {
            for (Map<Key, Setting> source : List.of(flags, environment, file)) {
                Setting given = source.get(key);
                if (given != null) {
                    return given;
                }
            }
            String ofJar = key.defaultOfJar();
            if (jar && ofJar != null) {
                return Setting.parse(key, ofJar, new Origin.OfJar());
            }
            String text = key.defaultText(other -> (Integer) of(other, earlier).value());
            return Setting.parse(key, text, new Origin.ByDefault());
        }

        /** Sorted, so that of two unknown variables always the same one is reported. */
        private static List<String> sortedNames(Collection<String> variables) {
            List<String> names = new ArrayList<>(variables);
            names.removeIf(name -> !name.startsWith(Key.VARIABLE_PREFIX));
            names.sort(null);
            return names;
        }
    }
}
