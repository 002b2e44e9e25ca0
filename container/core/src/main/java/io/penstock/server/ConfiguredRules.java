package io.penstock.server;

import io.penstock.limits.Configuration;
import io.penstock.limits.Key;
import io.penstock.rules.ErrorDocuments;
import io.penstock.rules.ResponseRules;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the operator has written for the responses of a server: the rules of {@code response-rules} for header fields, and the pages of
 * {@code error-pages}.
 */
final class ConfiguredRules {
    private static final String NONE = "none";

    private ConfiguredRules() {}

    /**
     * Reads the file with the rules. Returns null if no file is configured.
     *
     * @throws ServerStartException if the file cannot be read or has an error. The message names the key, the file and the line
     */
    static @Nullable ResponseRules of(Configuration configuration) throws ServerStartException {
        String file = configuration.text(Key.RESPONSE_RULES);
        if (file.equals(NONE)) {
            return null;
        }
        try {
            // Reactors also write responses, for example errors. Each of these responses must fit into one segment
            // (pipe-segment). So the fields of the rules can use at most half of a segment.
            return ResponseRules.read(Path.of(file), (int) (configuration.bytes(Key.PIPE_SEGMENT) / 2));
        } catch (IOException | InvalidPathException e) {
            throw new ServerStartException(Key.RESPONSE_RULES.id() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the pages for errors. Returns null if no folder is configured.
     *
     * @throws ServerStartException if a page cannot be read. The message names the key and the file
     */
    static @Nullable ErrorDocuments errors(Configuration configuration) throws ServerStartException {
        String folder = configuration.text(Key.ERROR_PAGES);
        if (folder.equals(NONE)) {
            return null;
        }
        try {
            return ErrorDocuments.read(Path.of(folder));
        } catch (IOException | InvalidPathException e) {
            throw new ServerStartException(Key.ERROR_PAGES.id() + ": " + e.getMessage(), e);
        }
    }
}
