package io.penstock.http;

import org.jspecify.annotations.Nullable;

/**
 * Notes which <em>deciding fields</em> a request has: the fields that decide how the request is read and answered. The {@link
 * RequestHeadParser} reports each line to this object. Most requests have only one of these fields, {@code Host}. So a later search through
 * all lines is rarely needed.
 *
 * <p>One thread reports the lines; afterwards the object is immutable.
 */
public final class DecidingFields {

    /** The deciding fields. */
    public enum Name {
        CONNECTION(1 << 0, "connection"),
        CONTENT_LENGTH(1 << 1, "content-length"),
        COOKIE(1 << 2, "cookie"),
        EXPECT(1 << 3, "expect"),
        HOST(1 << 4, "host"),
        TRANSFER_ENCODING(1 << 5, "transfer-encoding"),
        UPGRADE(1 << 6, "upgrade");

        private static final Name[] ALL = values();
        private static final int TO_LOWER_CASE = 0x20; // a hyphen already has this bit

        private final int bit;
        private final String text;

        Name(int bit, String text) {
            this.bit = bit;
            this.text = text;
        }

        /** The name in lower case. */
        String text() {
            return text;
        }

        private static @Nullable Name of(byte[] in, int start, int end) {
            for (Name name : ALL) {
                if (name.is(in, start, end)) {
                    return name;
                }
            }
            return null;
        }

        private boolean is(byte[] in, int start, int end) {
            if (end - start != text.length()) {
                return false;
            }
            for (int i = 0; i < text.length(); i++) {
                if ((in[start + i] | TO_LOWER_CASE) != text.charAt(i)) {
                    return false;
                }
            }
            return true;
        }

        private static @Nullable Name of(String text) {
            for (Name name : ALL) {
                if (name.text.equalsIgnoreCase(text)) {
                    return name;
                }
            }
            return null;
        }
    }

    // One bit for each name.
    private int present;
    private int repeated;

    /** Finds the deciding fields of a head that was not parsed from bytes. */
    static DecidingFields of(Fields fields) {
        DecidingFields deciding = new DecidingFields();
        for (int i = 0, n = fields.size(); i < n; i++) {
            deciding.found(Name.of(fields.name(i)));
        }
        return deciding;
    }

    /** Notes the field of a line, if it is a deciding field. The field name is between the two offsets and is a token. */
    void look(byte[] in, int start, int end) {
        found(Name.of(in, start, end));
    }

    private void found(@Nullable Name name) {
        if (name != null) {
            repeated |= present & name.bit;
            present |= name.bit;
        }
    }

    public boolean has(Name name) {
        return (present & name.bit) != 0;
    }

    /** Whether the head has more than one line with the name {@code name}. */
    boolean isRepeated(Name name) {
        return (repeated & name.bit) != 0;
    }

    /**
     * Checks that the head has exactly one valid Host (RFC 9112 section 3.2, RFC 9110 section 7.2). A head in HTTP/1.0 may have no Host. An
     * empty Host is refused, too, since an http URI always has a host.
     *
     * @throws Violation 400 if a rule is violated
     */
    void checkHost(Version version, FieldLines fields) throws Violation {
        if (isRepeated(Name.HOST)) {
            throw new Violation(400, "more than one Host");
        }
        if (has(Name.HOST)) {
            if (!fields.isAuthority(Name.HOST.text())) {
                throw new Violation(400, "improper Host");
            }
        } else if (version != Version.HTTP_1_0) {
            throw new Violation(400, "no Host");
        }
    }
}
