package io.penstock.server;

import io.penstock.limits.Configuration;
import io.penstock.limits.Key;
import io.penstock.rules.ResponseRules;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds a server's rules for the fields of responses: the rules of {@code response-rules}, or none. */
final class ConfiguredRules {
    private static final String NONE = "none";

    private ConfiguredRules() {}

    /**
     * Reads the file; null if there is none.
     *
     * @throws ServerStartException naming key, file and line, if the file cannot be read or has an error
     */
    static @Nullable ResponseRules of(Configuration configuration) throws ServerStartException {
        String file = configuration.text(Key.RESPONSE_RULES);
        if (file.equals(NONE)) {
            return null;
        }
        try {
            // A response that no worker writes must fit into one segment, together with its other fields and its text.
            return ResponseRules.read(Path.of(file), (int) (configuration.bytes(Key.PIPE_SEGMENT) / 2));
        } catch (IOException | InvalidPathException e) {
            throw new ServerStartException(Key.RESPONSE_RULES.id() + ": " + e.getMessage(), e);
        }
    }
}
