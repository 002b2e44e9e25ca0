package io.penstock.http;

import io.penstock.limits.Key;
import io.penstock.limits.ParameterLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the parameters of one request from {@code application/x-www-form-urlencoded} text. The parameters have the order of the calls.
 * So the caller passes the query first, then the body. Malformed text is rejected. The text is decoded as it arrives, one name or value at
 * a time: the parser never holds the whole text.
 *
 * <p>Thread: one at a time. The parser must not be used after an exception.
 *
 * <p>Owns: a buffer with the octets of one name or value, and while it reads a body, a buffer for its octets. Their bytes, and those of the
 * parameters, are reserved in {@link ParsedBytes}.
 */
public final class FormParser {
    private static final int PIECE = 8192;
    private static final int FIRST = 64; // octets, enough for most names and values
    private static final byte[] NONE = new byte[0];

    /** The map, its first table, and the copy that {@code getParameterMap} returns. */
    private static final int MAP = 320;

    /** An entry of the map in its largest form (in a tree), its places in tables, a list with one value, and the same in a copy. */
    private static final int NAME = 256;

    /** Places in a list while it grows, and in a copy. */
    private static final int VALUE = 24;

    private final ParameterLimits limits;
    private final ParsedBytes memory;
    private final Map<String, List<String>> parameters = new LinkedHashMap<>();
    private int count;

    private byte[] octets = NONE;
    private int length;
    /** All octets of the present name or value, combined by "or": below 0x80 if they are ASCII. */
    private int bits;
    /** The name of the present pair; null while the name is read. */
    private @Nullable String name;
    /** The number of hexadecimal digits that are missing in the present escape. */
    private int digits;

    private int escaped;

    /** @param memory where the bytes of the parameters are reserved; the caller gives them back */
    public FormParser(ParameterLimits limits, ParsedBytes memory) {
        this.limits = limits;
        this.memory = memory;
    }

    /** The parameters so far. The map belongs to the parser. The caller may keep the map after the last call of the parser. */
    public Map<String, List<String>> parameters() {
        return parameters;
    }

    /**
     * Adds one decoded parameter, for example a form field of a multipart body. The caller has reserved the bytes of the two strings.
     *
     * @throws Violation if there are too many parameters, or no memory for them
     */
    public void add(String parameter, String value) throws Violation {
        if (++count > limits.parameters()) {
            throw new Violation(Key.MAX_PARAMETERS);
        }
        List<String> values = parameters.get(parameter);
        memory.reserve((count == 1 ? MAP : 0) + (values == null ? NAME : VALUE));
        if (values == null) {
            values = new ArrayList<>(1);
            parameters.put(parameter, values);
        }
        values.add(value);
    }

    /**
     * Adds the parameters of encoded text.
     *
     * @param encoded pairs with ampersands between them; each char stands for one octet
     * @throws Violation if an escape is malformed, if octets are invalid in {@code charset}, if there are too many parameters, or no memory
     *     for them
     */
    public void parse(String encoded, Charset charset) throws Violation {
        for (int i = 0; i < encoded.length(); i++) {
            take(encoded.charAt(i), charset);
        }
        finish(charset);
    }

    /**
     * Reads a body to its end, and adds its parameters.
     *
     * @throws Violation if the body is too long, or in the cases of {@link #parse(String, Charset)}
     */
    public void parse(InputStream body, Charset charset) throws IOException, Violation {
        memory.reserve(PIECE);
        byte[] piece = new byte[PIECE];
        int total = 0;
        for (int n = body.read(piece); n >= 0; n = body.read(piece)) {
            if (n > limits.formBytes() - total) {
                throw new Violation(Key.FORM_LIMIT);
            }
            total += n;
            for (int i = 0; i < n; i++) {
                take(piece[i] & 0xFF, charset);
            }
        }
        memory.giveBack(PIECE);
        finish(charset);
    }

    private void take(int octet, Charset charset) throws Violation {
        if (digits > 0) {
            digit(octet);
            return;
        }
        switch (octet) {
            case '&' -> endPair(charset);
            case '%' -> digits = 2;
            case '+' -> append(' ');
            case '=' -> {
                if (name == null) {
                    name = text(charset);
                } else {
                    append('=');
                }
            }
            default -> append(octet);
        }
    }

    /** Takes a digit of a percent escape (RFC 3986 section 2.1). */
    private void digit(int octet) throws Violation {
        int value = PercentDecoding.hex(octet);
        if (value < 0) {
            throw new Violation(400, "malformed percent escape");
        }
        escaped = escaped << 4 | value;
        if (--digits == 0) {
            append(escaped & 0xFF);
        }
    }

    private void append(int octet) throws Violation {
        if (octet > 0xFF) {
            throw new Violation(400, "character beyond an octet in percent-encoded text");
        }
        if (length == octets.length) {
            grow();
        }
        bits |= octet;
        octets[length++] = (byte) octet;
    }

    private void grow() throws Violation {
        int larger = Math.max(FIRST, 2 * length);
        memory.reserve(larger);
        octets = Arrays.copyOf(octets, larger);
        memory.giveBack(length);
    }

    private void endPair(Charset charset) throws Violation {
        if (digits > 0) {
            throw new Violation(400, "malformed percent escape");
        }
        if (name == null && length == 0) {
            return;
        }
        String last = text(charset);
        String parameter = name == null ? last : name;
        if (parameters.containsKey(parameter) && !parameter.isEmpty()) {
            memory.giveBack(ParsedBytes.of(parameter)); // the map keeps the first string with this name
        }
        add(parameter, name == null ? "" : last);
        name = null;
    }

    private void finish(Charset charset) throws Violation {
        endPair(charset);
        int free = octets.length;
        octets = NONE;
        memory.giveBack(free);
    }

    /** Makes a string of the octets in the buffer, and empties the buffer. */
    private String text(Charset charset) throws Violation {
        int size = length;
        boolean ascii = bits < 0x80;
        length = 0;
        bits = 0;
        if (size == 0) {
            return "";
        }
        if (ascii) {
            memory.reserve(ParsedBytes.of((long) size));
            return new String(octets, 0, size, StandardCharsets.ISO_8859_1);
        }
        // At the peak there are the characters in a buffer, and in the string.
        long most = ParsedBytes.of(
                (long) (4 * size * Math.max(1, charset.newDecoder().maxCharsPerByte())));
        memory.reserve(most);
        String text = PercentDecoding.decodeStrictly(octets, 0, size, charset);
        memory.giveBack(most - ParsedBytes.of(text));
        return text;
    }
}
