package io.penstock.http2;

/**
 * The Huffman code of HPACK (RFC 7541 section 5.2 and appendix B). The code is canonical: codes of one length are consecutive numbers, in
 * the order of their symbols. So the lengths alone define the code.
 */
final class Huffman {
    /** The symbol that ends a text. It is never sent; its first bits are the padding of the last octet. */
    private static final int EOS = 256;

    private static final int LONGEST = 30;

    /** The number of bits that {@link #SHORT} decodes at once. */
    private static final int STEP = 9;

    /** The number of bits of each symbol's code. */
    private static final byte[] LENGTHS = {
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
                28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23,
                22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22,
                23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26,
                28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
                27, 27, 27, 26,
        30
    };

    private static final int[] CODES = new int[LENGTHS.length];

    /** The symbols in the order of their codes. */
    private static final short[] SYMBOLS = new short[LENGTHS.length];

    /** By length: the first code, and the index of its symbol in {@link #SYMBOLS}. */
    private static final int[] FIRST_CODE = new int[LONGEST + 2];

    private static final int[] FIRST_INDEX = new int[LONGEST + 2];

    /** By the next {@link #STEP} bits: the symbol and, in the lower four bits, the length of its code; 0 if the code is longer. */
    private static final short[] SHORT = new short[1 << STEP];

    static {
        int code = 0;
        int index = 0;
        for (int length = 1; length <= LONGEST; length++) {
            code <<= 1;
            FIRST_CODE[length] = code;
            FIRST_INDEX[length] = index;
            for (int symbol = 0; symbol < LENGTHS.length; symbol++) {
                if (LENGTHS[symbol] == length) {
                    CODES[symbol] = code++;
                    SYMBOLS[index++] = (short) symbol;
                }
            }
        }
        FIRST_INDEX[LONGEST + 1] = index;
        for (int symbol = 0; symbol < EOS; symbol++) {
            int free = STEP - LENGTHS[symbol];
            for (int rest = 0; free >= 0 && rest < 1 << free; rest++) {
                SHORT[CODES[symbol] << free | rest] = (short) (symbol << 4 | LENGTHS[symbol]);
            }
        }
    }

    private Huffman() {}

    /** The most octets that a coded text of {@code octets} can have after decoding. The shortest code has five bits. */
    static int mostDecoded(int octets) {
        return octets * 8 / 5;
    }

    /**
     * Decodes a text.
     *
     * @param out has room for {@link #mostDecoded} octets at {@code at}
     * @return the index behind the last octet in {@code out}
     * @throws ConnectionError if the text contains EOS, or if its padding is longer than seven bits or is no beginning of EOS
     */
    static int decode(byte[] in, int start, int end, byte[] out, int at) throws ConnectionError {
        int next = start;
        int written = at;
        long bits = 0; // the lower `count` bits are not decoded yet
        int count = 0;
        while (true) {
            while (count <= Long.SIZE - 2 * Byte.SIZE && next < end) {
                bits = bits << Byte.SIZE | in[next++] & 0xFF;
                count += Byte.SIZE;
            }
            if (count == 0) {
                return written;
            }
            // Behind the end, the text goes on with ones. So the padding reads as the beginning of EOS.
            int ahead = ahead(bits, count);
            int entry = SHORT[ahead >>> LONGEST - STEP];
            int length = entry & 0xF;
            int symbol = entry >> 4;
            if (length == 0) {
                length = length(ahead);
                symbol = SYMBOLS[FIRST_INDEX[length] + (ahead >>> LONGEST - length) - FIRST_CODE[length]];
            }
            if (length > count) {
                if (count >= Byte.SIZE || ahead >>> LONGEST - count != (1 << count) - 1) {
                    throw new ConnectionError(ErrorCode.COMPRESSION_ERROR, "Huffman text with wrong padding");
                }
                return written;
            }
            if (symbol == EOS) {
                throw new ConnectionError(ErrorCode.COMPRESSION_ERROR, "Huffman text with EOS");
            }
            out[written++] = (byte) symbol;
            count -= length;
        }
    }

    /** The next {@link #LONGEST} bits. */
    private static int ahead(long bits, int count) {
        int missing = LONGEST - count;
        long aligned = missing <= 0 ? bits >>> -missing : bits << missing | (1L << missing) - 1;
        return (int) aligned & (1 << LONGEST) - 1;
    }

    /** The length of the code with which the bits begin. The code is complete: each sequence of bits begins with a code. */
    private static int length(int ahead) {
        int length = STEP + 1;
        while ((ahead >>> LONGEST - length) - FIRST_CODE[length] >= FIRST_INDEX[length + 1] - FIRST_INDEX[length]) {
            length++;
        }
        return length;
    }

    /** The number of octets of a text after coding. */
    static int codedLength(byte[] text, int start, int end) {
        long bits = 0;
        for (int i = start; i < end; i++) {
            bits += LENGTHS[text[i] & 0xFF];
        }
        return (int) (bits + 7 >>> 3);
    }

    /**
     * Codes a text.
     *
     * @param out has room for {@link #codedLength} octets at {@code at}
     * @return the index behind the last octet in {@code out}
     */
    static int encode(byte[] text, int start, int end, byte[] out, int at) {
        int written = at;
        long bits = 0;
        int count = 0;
        for (int i = start; i < end; i++) {
            int symbol = text[i] & 0xFF;
            bits = bits << LENGTHS[symbol] | CODES[symbol];
            count += LENGTHS[symbol];
            for (; count >= Byte.SIZE; count -= Byte.SIZE) {
                out[written++] = (byte) (bits >>> count - Byte.SIZE);
            }
        }
        if (count > 0) {
            int padding = Byte.SIZE - count;
            out[written++] = (byte) (bits << padding | (1 << padding) - 1);
        }
        return written;
    }
}
