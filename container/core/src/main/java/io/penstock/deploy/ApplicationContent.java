package io.penstock.deploy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The files of an application to deploy.
 *
 * @param named the name that the operator has given, for messages
 * @param files a WAR file, or a folder
 * @param beside further folders; their current files are served
 * @param initParameters of the context; values that the application sets take precedence
 * @param owned resources to close when the application has stopped, or if it cannot be deployed
 */
public record ApplicationContent(
        Path named, Path files, List<Path> beside, Map<String, String> initParameters, AutoCloseable owned) {

    /** A WAR file or a folder, and nothing else. */
    static ApplicationContent of(Path content) {
        return new ApplicationContent(content, content, List.of(), Map.of(), () -> {});
    }

    public ApplicationContent {
        beside = List.copyOf(beside);
        initParameters = Map.copyOf(initParameters);
    }
}
