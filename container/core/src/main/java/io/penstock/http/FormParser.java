package io.penstock.http;

import io.penstock.limits.Key;
import io.penstock.limits.ParameterLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the parameters of one request from {@code application/x-www-form-urlencoded} text. The parameters have the order of the calls.
 * So the caller passes the query first, then the body. Malformed text is rejected.
 *
 * <p>Thread: one at a time.
 */
public final class FormParser {
    private final ParameterLimits limits;
    private final Map<String, List<String>> parameters = new LinkedHashMap<>();
    private int count;

    public FormParser(ParameterLimits limits) {
        this.limits = limits;
    }

    /** The parameters so far. The map belongs to the parser. The caller may keep the map after the last call of the parser. */
    public Map<String, List<String>> parameters() {
        return parameters;
    }

    /**
     * Adds one decoded parameter, for example a form field of a multipart body.
     *
     * @throws Violation if there are too many parameters
     */
    public void add(String name, String value) throws Violation {
        if (++count > limits.parameters()) {
            throw new Violation(Key.MAX_PARAMETERS);
        }
        parameters.computeIfAbsent(name, absent -> new ArrayList<>(1)).add(value);
    }

    /**
     * Adds the parameters of encoded text.
     *
     * @param encoded pairs with ampersands between them; each char stands for one octet
     * @throws Violation if an escape is malformed, if octets are invalid in {@code charset}, or if there are too many parameters
     */
    public void parse(String encoded, Charset charset) throws Violation {
        int start = 0;
        while (start <= encoded.length()) {
            int ampersand = encoded.indexOf('&', start);
            int end = ampersand < 0 ? encoded.length() : ampersand;
            if (end > start) {
                parsePair(encoded, start, end, charset);
            }
            start = end + 1;
        }
    }

    private void parsePair(String encoded, int start, int end, Charset charset) throws Violation {
        int nameEnd = start;
        while (nameEnd < end && encoded.charAt(nameEnd) != '=') {
            nameEnd++;
        }
        String name = PercentDecoding.decode(encoded, start, nameEnd, charset, PercentDecoding.Plus.SPACE);
        String value = nameEnd == end
                ? ""
                : PercentDecoding.decode(encoded, nameEnd + 1, end, charset, PercentDecoding.Plus.SPACE);
        add(name, value);
    }

    /**
     * Reads a body to its end, and adds its parameters.
     *
     * @throws Violation if the body is too long, or in the cases of {@link #parse(String, Charset)}
     */
    public void parse(InputStream body, Charset charset) throws IOException, Violation {
        byte[] octets = body.readNBytes(limits.formBytes());
        if (octets.length == limits.formBytes() && body.read() >= 0) {
            throw new Violation(Key.FORM_LIMIT);
        }
        parse(octets, 0, octets.length, charset);
    }

    /** Adds the parameters of a body in memory. The limits are those of {@link #parse(InputStream, Charset)}. */
    public void parse(byte[] octets, int offset, int length, Charset charset) throws Violation {
        if (length > limits.formBytes()) {
            throw new Violation(Key.FORM_LIMIT);
        }
        parse(new String(octets, offset, length, StandardCharsets.ISO_8859_1), charset);
    }
}
