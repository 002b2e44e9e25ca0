package io.penstock.websocket.frame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The negotiated parameters of {@code permessage-deflate} (RFC 7692 section 7.1). Windows have 15 bits, because {@link
 * java.util.zip.Deflater} has no others: an offer that demands a smaller window of the server is not acceptable. A client may use a smaller
 * one, since every window can be inflated with 15 bits.
 *
 * @param keepsOwn whether this side compresses a message with the context of its earlier ones
 * @param keepsPeers whether the peer does
 * @param namesBits whether the client has named the window of the server, so that the answer must name it, too (section 7.1.2.1)
 */
public record DeflateParameters(boolean keepsOwn, boolean keepsPeers, boolean namesBits) {
    /** The name of the extension. */
    public static final String NAME = "permessage-deflate";

    private static final String SERVER_NO_CONTEXT = "server_no_context_takeover";
    private static final String CLIENT_NO_CONTEXT = "client_no_context_takeover";
    private static final String SERVER_BITS = "server_max_window_bits";
    private static final String CLIENT_BITS = "client_max_window_bits";
    private static final String NO_VALUE = "";
    private static final String LARGEST = "15";

    /** The value of {@code Sec-WebSocket-Extensions} by which a client offers the extension. */
    public static String offer() {
        return NAME + "; " + SERVER_NO_CONTEXT + "; " + CLIENT_NO_CONTEXT;
    }

    /**
     * What a server makes of the first acceptable offer of a client. The server never keeps a context, neither its own nor the client's
     * (sections 7.1.1.1 and 7.1.1.2 permit this for each offer). So an idle connection needs no memory for compression, and the bytes of a
     * broadcast are the same for all clients.
     *
     * @param extensions the values of the fields {@code Sec-WebSocket-Extensions} of the handshake
     * @return null if no offer is acceptable
     */
    public static @Nullable DeflateParameters accept(List<String> extensions) {
        for (Map<String, String> offer : named(extensions)) {
            if (isAcceptable(offer)) {
                return new DeflateParameters(false, false, offer.containsKey(SERVER_BITS));
            }
        }
        return null;
    }

    private static boolean isAcceptable(Map<String, String> offer) {
        for (Map.Entry<String, String> parameter : offer.entrySet()) {
            String value = parameter.getValue();
            boolean known =
                    switch (parameter.getKey()) {
                        case SERVER_NO_CONTEXT, CLIENT_NO_CONTEXT -> value.equals(NO_VALUE);
                        case SERVER_BITS -> value.equals(LARGEST);
                        case CLIENT_BITS -> value.equals(NO_VALUE) || isBits(value);
                        default -> false;
                    };
            if (!known) {
                return false;
            }
        }
        return true;
    }

    /** Whether the value is a number of bits without leading zeros (section 7.1.2.1). */
    private static boolean isBits(String value) {
        return value.matches("[89]|1[0-5]");
    }

    /**
     * What a client makes of a server's answer to {@link #offer}.
     *
     * @return null if the server has not accepted the offer
     * @throws IllegalArgumentException if the answer does not match the offer, so that the client must fail the connection
     */
    public static @Nullable DeflateParameters accepted(List<String> extensions) {
        List<Map<String, String>> answers = named(extensions);
        if (answers.isEmpty()) {
            return null;
        }
        Map<String, String> answer = answers.get(0);
        boolean known = answers.size() == 1 && answer.containsKey(SERVER_NO_CONTEXT);
        for (Map.Entry<String, String> parameter : answer.entrySet()) {
            String value = parameter.getValue();
            known &= switch (parameter.getKey()) {
                case SERVER_NO_CONTEXT, CLIENT_NO_CONTEXT -> value.equals(NO_VALUE);
                case SERVER_BITS -> isBits(value);
                default -> false; // the client has not offered a smaller window of its own
            };
        }
        if (!known) {
            throw new IllegalArgumentException("Not an answer to the offer of " + NAME + ": " + extensions);
        }
        return new DeflateParameters(false, false, false);
    }

    /** The value of {@code Sec-WebSocket-Extensions} by which a server accepts. */
    public String answer() {
        return NAME
                + (keepsOwn ? "" : "; " + SERVER_NO_CONTEXT)
                + (keepsPeers ? "" : "; " + CLIENT_NO_CONTEXT)
                + (namesBits ? "; " + SERVER_BITS + "=" + LARGEST : "");
    }

    /**
     * The parameters of each mention of the extension. A mention with a repeated parameter gets a parameter that nobody knows, because it
     * must be declined (section 7.1).
     */
    private static List<Map<String, String>> named(List<String> extensions) {
        List<Map<String, String>> found = new ArrayList<>();
        for (String extension : split(String.join(",", extensions), ',')) {
            List<String> parts = split(extension, ';');
            if (!parts.get(0).strip().equalsIgnoreCase(NAME)) {
                continue;
            }
            Map<String, String> parameters = new HashMap<>();
            for (String part : parts.subList(1, parts.size())) {
                int equals = part.indexOf('=');
                String name =
                        (equals < 0 ? part : part.substring(0, equals)).strip().toLowerCase(Locale.ROOT);
                String value = equals < 0
                        ? NO_VALUE
                        : unquoted(part.substring(equals + 1).strip());
                if (parameters.put(name, value) != null) {
                    parameters.put("repeated " + name, value);
                }
            }
            found.add(parameters);
        }
        return found;
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        String bare = quoted ? value.substring(1, value.length() - 1) : value;
        return bare.isEmpty() ? "empty" : bare; // an empty value is none of the permitted ones
    }

    /** Splits at a separator outside of quoted strings. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int begin = 0;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '"') {
                quoted = !quoted;
            } else if (character == separator && !quoted) {
                parts.add(text.substring(begin, at));
                begin = at + 1;
            }
        }
        parts.add(text.substring(begin));
        return parts;
    }
}
