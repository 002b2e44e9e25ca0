package io.penstock.limits;

import java.util.List;
import java.util.regex.Pattern;

/** How the responses of an application are compressed. {@link Key} explains the values. */
public record Compression(
        CompressionMode mode, long minSize, List<String> types, List<String> excludedAgents, int most) {
    private static final String NONE = "none";
    private static final Pattern MEDIA_TYPE = Pattern.compile("[a-z0-9.+-]+/([a-z0-9.+-]+|\\*(\\+[a-z0-9.-]+)?)");

    /** Nothing is compressed. */
    public static final Compression OFF = of(Configuration.defaults());

    public Compression {
        types = List.copyOf(types);
        excludedAgents = List.copyOf(excludedAgents);
    }

    /** The settings of the server, which apply to all applications. */
    static Compression of(Configuration given) {
        return new Compression(
                given.choice(Key.COMPRESSION),
                given.bytes(Key.COMPRESSION_MIN_SIZE),
                types(given),
                list(Key.COMPRESSION_EXCLUDED_AGENTS, given),
                given.number(Key.COMPRESSORS));
    }

    /** These settings with another mode, for an application that has its own mode. */
    Compression with(CompressionMode own) {
        return new Compression(own, minSize, types, excludedAgents, most);
    }

    /**
     * Whether responses of a media type are compressed.
     *
     * @param essence the media type in lower case, without parameters
     */
    public boolean compresses(String essence) {
        for (String type : types) {
            int any = type.indexOf('*');
            if (any < 0 ? type.equals(essence) : matches(type, any, essence)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String type, int any, String essence) {
        return essence.length() >= type.length()
                && essence.startsWith(type.substring(0, any))
                && essence.endsWith(type.substring(any + 1));
    }

    /** Whether a client with this {@code User-Agent} gets uncompressed responses. */
    public boolean excludes(String agent) {
        return excludedAgents.stream().anyMatch(agent::contains);
    }

    private static List<String> types(Configuration given) {
        List<String> types = list(Key.COMPRESSION_TYPES, given);
        for (String type : types) {
            if (!MEDIA_TYPE.matcher(type).matches()) {
                throw new BadValueException(
                        Key.COMPRESSION_TYPES,
                        "must have media types such as text/html, text/* or application/*+json, not '" + type + "'");
            }
        }
        return types;
    }

    /** The texts between the commas. The value {@code none} gives an empty list. */
    private static List<String> list(Key key, Configuration given) {
        List<String> texts =
                given.parts(key).stream().filter(text -> !text.isEmpty()).toList();
        if (texts.isEmpty()) {
            throw new BadValueException(key, "needs at least one text");
        }
        return texts.equals(List.of(NONE)) ? List.of() : texts;
    }

    /** Which responses of an application are compressed. */
    public enum CompressionMode {
        /** No responses. */
        OFF,
        /** Only files with a compressed copy beside them, such as {@code app.js.gz} beside {@code app.js}. */
        PRECOMPRESSED,
        /** Files with a compressed copy beside them, and other responses. The server itself compresses these other responses. */
        ON
    }
}
