package io.penstock.limits;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collects configuration values from a file, the environment and flags, and chooses one value for each key. Flags have the highest
 * precedence. The environment comes next, then the file, then the default. A later flag replaces an earlier flag for the same key.
 *
 * <p>Thread: one.
 */
public final class ConfigurationSources {

    /**
     * The environment variable that contains the settings of all applications. The settings share one variable, because the name of a
     * variable cannot contain a context path.
     */
    public static final String APPLICATIONS = Key.VARIABLE_PREFIX + "APPLICATIONS";

    private final Map<Key, Setting> ofJar = new EnumMap<>(Key.class);
    private final Map<Key, Setting> file = new EnumMap<>(Key.class);
    private final Map<Key, Setting> environment = new EnumMap<>(Key.class);
    private final Map<Key, Setting> flags = new EnumMap<>(Key.class);
    private final Map<String, ApplicationSetting> fileOfApplications = new HashMap<>();
    private final Map<String, ApplicationSetting> environmentOfApplications = new HashMap<>();
    private final Map<String, ApplicationSetting> flagsOfApplications = new HashMap<>();

    /** Uses the defaults of {@code penstock.jar}, some of which differ from those of an embedded server. */
    public ConfigurationSources jar() {
        for (Key key : Key.values()) {
            String text = key.defaultOfJar();
            if (text != null) {
                ofJar.put(key, Setting.parse(key, text, new Origin.OfJar()));
            }
        }
        return this;
    }

    /**
     * Adds a file in the syntax of {@link java.util.Properties}, in UTF-8.
     *
     * @throws ConfigurationException if the file cannot be read, has an unknown key, has a key twice, or has a value that cannot be parsed
     */
    public ConfigurationSources file(Path path) {
        for (PropertiesFile.Entry entry : PropertiesFile.read(path)) {
            Origin origin = new Origin.File(path, entry.line());
            if (ApplicationSetting.isNamed(entry.key())) {
                addOnce(fileOfApplications, ApplicationSetting.parse(entry.key(), entry.value(), origin));
                continue;
            }
            Key key = Key.named(entry.key()).orElseThrow(() -> unknown(entry.key(), origin));
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
     * Adds the environment variables. For example, {@code PENSTOCK_MAX_STREAMING} sets {@code max-streaming}. {@value #APPLICATIONS} has a
     * line for each setting of an application, in the syntax of a configuration file. Other variables are ignored.
     *
     * @throws ConfigurationException if a variable begins with {@code PENSTOCK_} but belongs to no key, or if a value cannot be parsed
     */
    public ConfigurationSources environment(Map<String, String> variables) {
        // In order, so that each start reports the same one of several unknown variables.
        for (String variable : new TreeSet<>(variables.keySet())) {
            if (!variable.startsWith(Key.VARIABLE_PREFIX)) {
                continue;
            }
            if (variable.equals(APPLICATIONS)) {
                applications(variables.getOrDefault(variable, ""));
                continue;
            }
            Key key = Key.ofVariable(variable).orElseThrow(() -> unknownVariable(variable));
            String text = variables.getOrDefault(variable, "");
            environment.put(key, Setting.parse(key, text, new Origin.Environment(variable)));
        }
        return this;
    }

    private static ConfigurationException unknown(String id, Origin origin) {
        String replacement = Key.replacementOf(id);
        if (replacement != null) {
            return new ConfigurationException(id + " " + replacement + " (from " + origin + ")");
        }
        String question = ClosestName.questionOfKeys(id, Key.ids(), closest -> "'" + closest + "'");
        return new ConfigurationException("unknown key '" + id + "'" + question + " (from " + origin + ")"
                + (question.isEmpty() ? HelpPage.KEYS.more() : ""));
    }

    private static ConfigurationException unknownVariable(String variable) {
        String id = variable.substring(Key.VARIABLE_PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace('_', '-');
        String replacement = Key.replacementOf(id);
        if (replacement != null) {
            return new ConfigurationException(variable + " " + replacement);
        }
        return new ConfigurationException("unknown environment variable " + variable
                + ClosestName.questionOfKeys(id, Key.ids(), closest -> Key.named(closest)
                        .map(Key::variable)
                        .orElse(closest)));
    }

    private void applications(String lines) {
        for (PropertiesFile.Entry entry : PropertiesFile.lines(lines, APPLICATIONS)) {
            Origin origin = new Origin.Environment(APPLICATIONS + ", line " + entry.line());
            addOnce(environmentOfApplications, ApplicationSetting.parse(entry.key(), entry.value(), origin));
        }
    }

    /**
     * Adds an option of the command line, or a value from the embedding program. The name is a key, or a setting of an application such as
     * {@code /shop:exclude-scan}.
     *
     * @throws ConfigurationException if the name is unknown, or the value cannot be parsed
     */
    public ConfigurationSources flag(String name, String text, Origin origin) {
        if (ApplicationSetting.isNamed(name)) {
            ApplicationSetting setting = ApplicationSetting.parse(name, text, origin);
            flagsOfApplications.put(setting.id(), setting);
            return this;
        }
        Key key = Key.named(name).orElseThrow(() -> unknown(name, origin));
        return flag(key, text, origin);
    }

    /**
     * Adds an option of the command line, or a value from the embedding program.
     *
     * @throws ConfigurationException if the value cannot be parsed
     */
    public ConfigurationSources flag(Key key, String text, Origin origin) {
        flags.put(key, Setting.parse(key, text, origin));
        return this;
    }

    /**
     * Returns the chosen value of each key. If no source has a value for a key, the key has its default.
     *
     * @throws ConfigurationException if a value is outside its bounds
     */
    public Configuration resolve() {
        Map<Key, Setting> given = new EnumMap<>(ofJar);
        given.putAll(file);
        given.putAll(environment);
        given.putAll(flags);
        Map<String, ApplicationSetting> ofApplications = new TreeMap<>(fileOfApplications);
        ofApplications.putAll(environmentOfApplications);
        ofApplications.putAll(flagsOfApplications);
        for (ApplicationSetting setting : ofApplications.values()) {
            String value = setting.location() + ":" + ApplicationKey.ENV.id() + "." + setting.parameter();
            if (setting.key() == ApplicationKey.ENV_TYPE && !ofApplications.containsKey(value)) {
                throw new ConfigurationException(setting.id() + " needs " + value + " (from " + setting.origin() + ")");
            }
        }
        Configuration configuration = Configuration.of(given, ofApplications.values());
        ServerConfig.of(configuration);
        return configuration;
    }
}
