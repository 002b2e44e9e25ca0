package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.ListenAddress.BindAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the sources of the configuration and their order: command line (flag), environment, file, default. */
class ConfigurationPrecedenceTest {

    private static final Origin FLAG = new Origin.Flag("--workers");

    @TempDir
    Path folder;

    /** Every combination of the three sources (file, environment, flag), and the source whose value is used. */
    static Stream<Arguments> combinations() {
        return Stream.of(
                Arguments.of(List.of(), null),
                Arguments.of(List.of("file"), "file"),
                Arguments.of(List.of("environment"), "environment"),
                Arguments.of(List.of("flag"), "flag"),
                Arguments.of(List.of("file", "environment"), "environment"),
                Arguments.of(List.of("file", "flag"), "flag"),
                Arguments.of(List.of("environment", "flag"), "flag"),
                Arguments.of(List.of("file", "environment", "flag"), "flag"));
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void aFlagOverridesTheEnvironmentAndTheEnvironmentOverridesTheFile(List<String> given, String expectedSource)
            throws IOException {
        Path file = write("# first line\nworkers = 5\n");
        // The order in which the sources are added must not matter.
        for (List<String> order : List.of(given, reversed(given))) {
            ConfigurationSources sources = new ConfigurationSources();
            for (String place : order) {
                switch (place) {
                    case "file" -> sources.file(file);
                    case "environment" -> sources.environment(Map.of("PENSTOCK_WORKERS", "6"));
                    default -> sources.flag(Key.WORKERS, "7", FLAG);
                }
            }
            Setting setting = sources.resolve().setting(Key.WORKERS);
            if (expectedSource == null) {
                assertEquals(new Origin.ByDefault(), setting.origin());
                continue;
            }
            switch (expectedSource) {
                case "file" -> assertEquals(new Setting(Key.WORKERS, 5, new Origin.File(file, 2)), setting);
                case "environment" ->
                    assertEquals(new Setting(Key.WORKERS, 6, new Origin.Environment("PENSTOCK_WORKERS")), setting);
                default -> assertEquals(new Setting(Key.WORKERS, 7, FLAG), setting);
            }
        }
    }

    @Test
    void theKeysOfAConfigurationCanBeSetInDifferentSources() throws IOException {
        Configuration configuration = new ConfigurationSources()
                .file(write("workers = 5\nqueue = 50\nport = 5000"))
                .environment(Map.of("PENSTOCK_QUEUE", "60", "PENSTOCK_PORT", "6000", "HOME", "/root"))
                .flag(Key.PORT, "7000", new Origin.Flag("--port"))
                .resolve();
        ServerConfig config = ServerConfig.of(configuration);
        assertEquals(5, config.threads().workers());
        assertEquals(60, config.threads().queue());
        assertEquals(
                List.of(new ListenAddress(new BindAddress.Network("0.0.0.0", 7000), Switch.OFF, Switch.OFF)),
                config.listen().addresses());
        assertEquals(ServerConfig.defaults().listen().backlog(), config.listen().backlog());
    }

    @Test
    void eachKeyCanBeSetByAFileAndByTheEnvironmentAndByAFlag() throws IOException {
        for (Key key : Key.values()) {
            String text = Configuration.defaults().setting(key).text();
            Configuration fromFile = new ConfigurationSources()
                    .file(write(key.id() + "=" + text))
                    .resolve();
            assertEquals(new Origin.File(folder.resolve("test.properties"), 1), origin(fromFile, key));
            Configuration fromEnvironment = new ConfigurationSources()
                    .environment(Map.of(key.variable(), text))
                    .resolve();
            assertEquals(new Origin.Environment(key.variable()), origin(fromEnvironment, key));
            Configuration fromFlag = new ConfigurationSources()
                    .flag(key, text, new Origin.Flag(key.option()))
                    .resolve();
            assertEquals(new Origin.Flag(key.option()), origin(fromFlag, key));
        }
    }

    @Test
    void theDefaultOfTheKeyMaxStreamingDependsOnTheNumberOfWorkers() {
        Configuration configuration = new ConfigurationSources()
                .environment(Map.of("PENSTOCK_WORKERS", "10"))
                .resolve();
        assertEquals(5, configuration.number(Key.MAX_STREAMING));
        assertEquals(new Origin.ByDefault(), origin(configuration, Key.MAX_STREAMING));
    }

    @Test
    void environmentVariablesAndOptionsAreNamedAfterTheKey() {
        assertEquals("PENSTOCK_WORKERS", Key.WORKERS.variable());
        assertEquals("PENSTOCK_KEEP_ALIVE_TIMEOUT", Key.KEEP_ALIVE_TIMEOUT.variable());
        assertEquals("--keep-alive-timeout", Key.KEEP_ALIVE_TIMEOUT.option());
    }

    @Test
    void aFileCanUseTheCompleteSyntaxOfJavaPropertiesFiles() throws IOException {
        Configuration configuration = new ConfigurationSources()
                .file(write("! a comment \\\n\n  workers : 5\nqueue \\\n  = 5\\\n    0\nh\\u006fst = localhost\n"))
                .resolve();
        assertEquals(5, configuration.number(Key.WORKERS));
        assertEquals(50, configuration.number(Key.QUEUE));
        assertEquals(4, ((Origin.File) origin(configuration, Key.QUEUE)).line());
        assertEquals("localhost", configuration.text(Key.HOST));
        assertEquals(7, ((Origin.File) origin(configuration, Key.HOST)).line());
    }

    @Test
    void aFileWithAllPrintedDefaultsGivesTheDefaultConfiguration() throws IOException {
        StringBuilder printed = new StringBuilder();
        Configuration.defaults().settings().forEach(setting -> printed.append(
                        setting.key().id())
                .append('=')
                .append(setting.text())
                .append('\n'));
        Configuration again =
                new ConfigurationSources().file(write(printed.toString())).resolve();
        assertEquals(ServerConfig.defaults(), ServerConfig.of(again));
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstKey() throws IOException {
        Configuration configuration =
                new ConfigurationSources().file(write("\uFEFFworkers = 5\n")).resolve();
        assertEquals(5, configuration.number(Key.WORKERS));
    }

    @Test
    void aMissingConfigurationFileIsReported() {
        Path missing = folder.resolve("missing.properties");
        ConfigurationException e =
                assertThrows(ConfigurationException.class, () -> new ConfigurationSources().file(missing));
        assertEquals("cannot read the configuration file " + missing + ": no such file", e.getMessage());
    }

    private static Origin origin(Configuration configuration, Key key) {
        return configuration.setting(key).origin();
    }

    private static List<String> reversed(List<String> list) {
        List<String> reversed = new ArrayList<>(list);
        Collections.reverse(reversed);
        return reversed;
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("test.properties"), text);
    }
}
