package io.penstock.websocket.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Checks UTF-8 while it arrives (RFC 3629 section 4), so that the first wrong byte is found at once. The state between two calls is a
 * number: {@link #BOUNDARY} between two characters, {@link #MALFORMED} after a wrong byte, and else what must follow.
 */
final class Utf8 {
    static final int BOUNDARY = 0;
    static final int MALFORMED = -1;

    private static final int ONE_MORE = 1;
    private static final int TWO_MORE = 2;
    private static final int THREE_MORE = 3;
    private static final int AFTER_E0 = 4;
    private static final int AFTER_ED = 5;
    private static final int AFTER_F0 = 6;
    private static final int AFTER_F4 = 7;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long NOT_ASCII = 0x8080808080808080L;

    private Utf8() {}

    /** The state behind the bytes from {@code from} to {@code to}. */
    static int check(int before, byte[] bytes, int from, int to) {
        int state = before;
        int at = from;
        while (at < to) {
            if (state == BOUNDARY) {
                at = behindAscii(bytes, at, to);
                if (at == to) {
                    return BOUNDARY;
                }
                state = lead(bytes[at++] & 0xff);
            } else {
                state = follow(state, bytes[at++] & 0xff);
            }
            if (state == MALFORMED) {
                return MALFORMED;
            }
        }
        return state;
    }

    private static int behindAscii(byte[] bytes, int from, int to) {
        int at = from;
        while (at <= to - Long.BYTES && ((long) LONGS.get(bytes, at) & NOT_ASCII) == 0) {
            at += Long.BYTES;
        }
        while (at < to && bytes[at] >= 0) {
            at++;
        }
        return at;
    }

    private static int lead(int octet) {
        if (octet < 0xc2) {
            return MALFORMED;
        } else if (octet < 0xe0) {
            return ONE_MORE;
        } else if (octet < 0xf0) {
            return octet == 0xe0 ? AFTER_E0 : octet == 0xed ? AFTER_ED : TWO_MORE;
        } else if (octet < 0xf5) {
            return octet == 0xf0 ? AFTER_F0 : octet == 0xf4 ? AFTER_F4 : THREE_MORE;
        }
        return MALFORMED;
    }

    private static int follow(int state, int octet) {
        return switch (state) {
            case ONE_MORE -> within(octet, 0x80, 0xbf, BOUNDARY);
            case TWO_MORE -> within(octet, 0x80, 0xbf, ONE_MORE);
            case THREE_MORE -> within(octet, 0x80, 0xbf, TWO_MORE);
            case AFTER_E0 -> within(octet, 0xa0, 0xbf, ONE_MORE);
            case AFTER_ED -> within(octet, 0x80, 0x9f, ONE_MORE);
            case AFTER_F0 -> within(octet, 0x90, 0xbf, TWO_MORE);
            case AFTER_F4 -> within(octet, 0x80, 0x8f, TWO_MORE);
            default -> throw new IllegalStateException("Not a state: " + state);
        };
    }

    private static int within(int octet, int least, int most, int next) {
        return octet >= least && octet <= most ? next : MALFORMED;
    }

    /** The end of the last whole character, if the bytes are the beginning of well-formed text. */
    static int wholeCharacters(byte[] bytes, int from, int to) {
        int at = to;
        while (at > from && to - at < THREE_MORE) {
            int octet = bytes[--at] & 0xff;
            if (octet < 0x80) {
                return to;
            }
            if (octet >= 0xc0) {
                int length = octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4;
                return to - at >= length ? to : at;
            }
        }
        return to;
    }
}
