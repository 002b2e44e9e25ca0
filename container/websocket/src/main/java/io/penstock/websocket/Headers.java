package io.penstock.websocket;

import jakarta.websocket.Extension;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The parts of handshakes that servers and clients share: header fields, extensions and query parameters. Thread: any. */
final class Headers {
    static final String CONNECTION = "Connection";
    static final String UPGRADE = "Upgrade";
    static final String WEBSOCKET = "websocket";

    private Headers() {}

    /** An extension and its parameters (RFC 6455 section 9.1). */
    private record NamedExtension(String getName, List<Parameter> getParameters) implements Extension {}

    /** @param getValue empty for a parameter without a value */
    private record NamedParameter(String getName, String getValue) implements Extension.Parameter {}

    /** A map of fields in which the case of names does not matter. */
    static Map<String, List<String>> fields() {
        return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    }

    /** The elements of all values of a field that is a list. Commas in quotes do not separate. */
    static List<String> elements(@Nullable List<String> values, char separator) {
        List<String> elements = new ArrayList<>();
        for (String value : values == null ? List.<String>of() : values) {
            boolean quoted = false;
            int begin = 0;
            for (int i = 0; i <= value.length(); i++) {
                if (i == value.length() || (value.charAt(i) == separator && !quoted)) {
                    String element = value.substring(begin, i).strip();
                    begin = i + 1;
                    if (!element.isEmpty()) {
                        elements.add(element);
                    }
                } else if (value.charAt(i) == '"') {
                    quoted = !quoted;
                }
            }
        }
        return elements;
    }

    /** The extensions in the values of {@code Sec-WebSocket-Extensions}. */
    static List<Extension> extensions(@Nullable List<String> values) {
        List<Extension> extensions = new ArrayList<>();
        for (String element : elements(values, ',')) {
            List<String> parts = elements(List.of(element), ';');
            List<Extension.Parameter> parameters = new ArrayList<>();
            for (String parameter : parts.subList(Math.min(1, parts.size()), parts.size())) {
                int equals = parameter.indexOf('=');
                String value = equals < 0 ? "" : parameter.substring(equals + 1).strip();
                parameters.add(new NamedParameter(
                        equals < 0 ? parameter : parameter.substring(0, equals).strip(), value.replace("\"", "")));
            }
            if (!parts.isEmpty()) {
                extensions.add(new NamedExtension(parts.get(0), List.copyOf(parameters)));
            }
        }
        return extensions;
    }

    /** An extension in the form of the field {@code Sec-WebSocket-Extensions}. */
    static String format(Extension extension) {
        StringBuilder text = new StringBuilder(extension.getName());
        for (Extension.Parameter parameter : extension.getParameters()) {
            text.append("; ").append(parameter.getName());
            String value = parameter.getValue();
            if (value != null && !value.isEmpty()) {
                text.append('=').append(value);
            }
        }
        return text.toString();
    }

    /** The parameters in a query string, decoded as UTF-8. */
    static Map<String, List<String>> parameters(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return Map.of();
        }
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                parameters
                        .computeIfAbsent(
                                decoded(equals < 0 ? pair : pair.substring(0, equals)), none -> new ArrayList<>(1))
                        .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        parameters.replaceAll((name, values) -> Collections.unmodifiableList(values));
        return Collections.unmodifiableMap(parameters);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // an invalid escape stands for itself
        }
    }

    /** A URI from a text that may have characters which a request may have, but {@link URI} does not allow. */
    static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            return URI.create(escaped(text));
        }
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean legal = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~:/?@!$&'()*+,;=".indexOf(c) >= 0);
            escaped.append(legal ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return escaped.toString();
    }
}
