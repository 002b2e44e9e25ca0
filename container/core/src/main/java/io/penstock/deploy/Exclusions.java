package io.penstock.deploy;

import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.ApplicationSettings.Given;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The libraries and initialisers that the container ignores. Two context parameters of {@code web.xml} contain patterns for the names of
 * these libraries and initialisers. The patterns are separated by commas or white space. The operator's settings can add further patterns.
 * In a pattern, {@code *} stands for any characters.
 *
 * @param libraries the patterns for the file names of jars. The classes of these jars are not read. So their annotations are ignored, and
 *     initialisers do not get these classes
 * @param initializers the patterns for the class names of initialisers that do not run
 */
record Exclusions(List<Pattern> libraries, List<Pattern> initializers) {
    static final String LIBRARIES = "penstock.scan.exclude";
    static final String INITIALIZERS = "penstock.initializers.exclude";

    Exclusions {
        libraries = List.copyOf(libraries);
        initializers = List.copyOf(initializers);
    }

    static Exclusions of(WebXml main, ApplicationSettings settings) {
        return new Exclusions(
                patterns(main, LIBRARIES, settings.excludedScans()),
                patterns(main, INITIALIZERS, settings.excludedInitializers()));
    }

    private static List<Pattern> patterns(WebXml main, String name, List<Given<String>> outside) {
        Stream<String> own = main.contextParameters().stream()
                .filter(parameter -> parameter.name().equals(name))
                .limit(1)
                .flatMap(parameter -> Arrays.stream(parameter.value().split("[,\\s]+")))
                .filter(pattern -> !pattern.isEmpty());
        return Stream.concat(own, outside.stream().map(Given::value))
                .map(Exclusions::pattern)
                .toList();
    }

    private static Pattern pattern(String text) {
        return Pattern.compile(
                Arrays.stream(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }

    boolean coversLibrary(Path jar) {
        return covers(libraries, String.valueOf(jar.getFileName()));
    }

    boolean coversInitializer(String className) {
        return covers(initializers, className);
    }

    private static boolean covers(List<Pattern> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(name).matches());
    }
}
