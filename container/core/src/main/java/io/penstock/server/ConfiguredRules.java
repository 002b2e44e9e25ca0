package io.penstock.server;

import io.penstock.limits.Configuration;
import io.penstock.limits.Key;
import io.penstock.rules.ResponseRules;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds a server's rules for the header fields of responses: the rules of {@code response-rules}, or none. */
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
}
