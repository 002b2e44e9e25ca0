package io.penstock.limits;

import java.util.Arrays;
import java.util.List;

/**
 * How the responses of an application are compressed.
 *
 * @param excludedAgents parts of the {@code User-Agent} of clients that get nothing compressed
 */
public record Compression(CompressionMode mode, List<String> excludedAgents) {
    private static final String NONE = "none";

    /** Nothing is compressed. */
    public static final Compression OFF = new Compression(CompressionMode.OFF, List.of());

    public Compression {
        excludedAgents = List.copyOf(excludedAgents);
    }

    /** The configuration for all applications. */
    static Compression of(Configuration given) {
        return new Compression(
                Check.choice(Key.COMPRESSION, given.text(Key.COMPRESSION), CompressionMode.class),
                list(Key.COMPRESSION_EXCLUDED_AGENTS, given));
    }

    /** The same for an application that has its own mode. */
    Compression with(CompressionMode own) {
        return new Compression(own, excludedAgents);
    }

    /** Whether a client with this {@code User-Agent} gets nothing compressed. */
    public boolean excludes(String agent) {
        return excludedAgents.stream().anyMatch(agent::contains);
    }

    /** The texts between the commas; {@code none} for none. */
    private static List<String> list(Key key, Configuration given) {
        List<String> texts = Arrays.stream(given.text(key).split(","))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
        if (texts.isEmpty()) {
            throw new BadValueException(key, "has no text in it");
        }
        return texts.equals(List.of(NONE)) ? List.of() : texts;
    }
}
