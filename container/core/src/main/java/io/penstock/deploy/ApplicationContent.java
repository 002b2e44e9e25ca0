package io.penstock.deploy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The files of an application to deploy.
 *
 * @param named the path that the operator has given, for messages
 * @param files a WAR file, or a folder
 * @param beside further folders whose files are served in their current state
 * @param initParameters the init parameters of the context. Values that the application sets have precedence
 * @param owned resources to close when the application has stopped, or if it cannot be deployed
 */
public record ApplicationContent(
        Path named, Path files, List<Path> beside, Map<String, String> initParameters, AutoCloseable owned) {

    /** The content of an application that is a WAR file or a folder, without further folders. */
    static ApplicationContent of(Path content) {
        return new ApplicationContent(content, content, List.of(), Map.of(), () -> {});
    }

    /** The name of the class loader of an application, with which the lines of stack traces begin: the last name of its path. */
    public static String loaderName(Path named) {
        Path name = named.getFileName();
        return name == null || name.toString().isEmpty()
                ? named.toAbsolutePath().toString()
                : name.toString();
    }

    public ApplicationContent {
        beside = List.copyOf(beside);
        initParameters = Map.copyOf(initParameters);
    }
}
