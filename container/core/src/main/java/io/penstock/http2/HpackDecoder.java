package io.penstock.http2;

import io.penstock.http.FieldSection;
import io.penstock.memory.HeapSize;

/**
 * Decodes the field blocks of one connection (RFC 7541), with the dynamic table that both sides share. A block must be decoded to its end,
 * also if nobody wants its fields: otherwise the table would differ from that of the client.
 *
 * <p>Thread: the connection's reactor. Owns: the dynamic table. The table takes memory only when the client adds entries.
 */
final class HpackDecoder {
    /** What an entry counts in addition to its octets (RFC 7541 section 4.1). */
    static final int ENTRY_OVERHEAD = 32;

    /** The largest integer that a block may contain. No text and no index of a valid block is longer. */
    private static final int LARGEST_INTEGER = 1 << 24;

    private static final int FIRST_ENTRIES = 8;
    private static final int FIRST_OCTETS = 256;
    private static final byte[] NO_OCTETS = {};
    private static final int[] NO_ENTRIES = {};

    // The number of ints of an entry: where its name begins, where its value begins, and where the value ends.
    private static final int WIDTH = 3;

    /** The highest size of the table that the client may choose: the server's SETTINGS_HEADER_TABLE_SIZE. */
    private final int limit;

    // The table, as a list: the oldest entry is the first one. A new entry is the last one, and its octets are put
    // behind all others. Where the end of an array is reached, the remaining entries move to its beginning.
    private byte[] octets = NO_OCTETS;
    private int[] entries = NO_ENTRIES;
    private int oldest;
    private int count;

    /** The size of the table as RFC 7541 section 4.1 defines it, and the highest size that the client has chosen. */
    private int size;

    private int maxSize;

    // The block that is being decoded.
    private byte[] in = NO_OCTETS;
    private int next;
    private int end;

    HpackDecoder(int limit) {
        this.limit = limit;
        this.maxSize = limit;
    }

    /** The memory of the octets of the dynamic table. The decoder itself is not included. */
    int heldByOctets() {
        return octets.length == 0 ? 0 : HeapSize.array(octets.length);
    }

    /** The memory of the offsets of the dynamic table. */
    int heldByEntries() {
        return entries.length == 0 ? 0 : HeapSize.array(entries.length * Integer.BYTES);
    }

    /**
     * Decodes a whole field block.
     *
     * @throws ConnectionError COMPRESSION_ERROR; ENHANCE_YOUR_CALM if the fields are much too large; the table is unusable afterwards
     */
    void decode(byte[] bytes, int from, int to, FieldSection fields) throws ConnectionError {
        in = bytes;
        next = from;
        end = to;
        try {
            boolean mayResize = true;
            while (next < end) {
                int first = in[next];
                if (first < 0) { // 1xxxxxxx: an entry of a table
                    indexed(integer(7), fields);
                } else if ((first & 0x40) != 0) { // 01xxxxxx: a field that becomes an entry
                    literal(integer(6), fields, true);
                } else if ((first & 0x20) == 0) { // 0000xxxx or 0001xxxx: a field that becomes no entry
                    literal(integer(4), fields, false);
                } else if (mayResize) { // 001xxxxx: another size of the table
                    resize(integer(5));
                    continue;
                } else {
                    throw malformed("size of the dynamic table behind a field");
                }
                mayResize = false;
            }
        } finally {
            in = NO_OCTETS;
        }
    }

    private static ConnectionError malformed(String reason) {
        return new ConnectionError(ErrorCode.COMPRESSION_ERROR, reason);
    }

    // ---- fields

    private void indexed(int index, FieldSection fields) throws ConnectionError {
        if (fields.isDropping() && index > 0) {
            // One octet can name a field of some kilobytes, which must not be copied for nothing.
            if (index > StaticTable.SIZE) {
                entry(index);
            }
            return;
        }
        int nameEnd = name(index, fields);
        int valueEnd;
        if (index <= StaticTable.SIZE) {
            valueEnd = put(StaticTable.value(index), fields, nameEnd);
        } else {
            int entry = entry(index);
            valueEnd = put(octets, entries[entry + 1], entries[entry + 2], fields, nameEnd);
        }
        fields.add(nameEnd, valueEnd);
    }

    private void literal(int nameIndex, FieldSection fields, boolean becomesEntry) throws ConnectionError {
        int start = fields.length();
        int nameEnd = nameIndex == 0 ? text(fields, start) : name(nameIndex, fields);
        int valueEnd = text(fields, nameEnd);
        if (becomesEntry) {
            insert(fields.bytes(), start, nameEnd, valueEnd);
        }
        fields.add(nameEnd, valueEnd);
        if (fields.isMuchTooLarge()) {
            // Two octets can name an entry of some kilobytes, and copy it into the table again and again.
            throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "head that is much too large");
        }
    }

    /** Puts the name of an entry behind the fields. Returns the index behind it. */
    private int name(int index, FieldSection fields) throws ConnectionError {
        if (index == 0) {
            throw malformed("index 0");
        }
        if (index <= StaticTable.SIZE) {
            return put(StaticTable.name(index), fields, fields.length());
        }
        int entry = entry(index);
        return put(octets, entries[entry], entries[entry + 1], fields, fields.length());
    }

    private static int put(byte[] text, FieldSection fields, int at) {
        return put(text, 0, text.length, fields, at);
    }

    private static int put(byte[] from, int start, int stop, FieldSection fields, int at) {
        int length = stop - start;
        System.arraycopy(from, start, fields.room(at, length), at, length);
        return at + length;
    }

    /** Reads a text, and puts it behind the fields, at {@code at}. Returns the index behind it. */
    private int text(FieldSection fields, int at) throws ConnectionError {
        if (next == end) {
            throw malformed("block that ends within a field");
        }
        boolean coded = in[next] < 0;
        int length = integer(7);
        if (length > end - next) {
            throw malformed("text that is longer than its block");
        }
        int start = next;
        next += length;
        if (!coded) {
            return put(in, start, next, fields, at);
        }
        return Huffman.decode(in, start, next, fields.room(at, Huffman.mostDecoded(length)), at);
    }

    /** Reads an integer whose first bits are the last {@code prefix} bits of the next octet (RFC 7541 section 5.1). */
    private int integer(int prefix) throws ConnectionError {
        int most = (1 << prefix) - 1;
        int value = in[next++] & most;
        if (value < most) {
            return value;
        }
        for (int shift = 0; ; shift += 7) {
            if (next == end) {
                throw malformed("block that ends within an integer");
            }
            int octet = in[next++];
            value += (octet & 0x7F) << shift;
            if (value > LARGEST_INTEGER || shift > 21) {
                throw malformed("integer that is too large");
            }
            if (octet >= 0) {
                return value;
            }
        }
    }

    // ---- the dynamic table

    /** The index in {@link #entries} of the entry with this index. The newest entry is the first behind the static table. */
    private int entry(int index) throws ConnectionError {
        int newest = index - StaticTable.SIZE - 1;
        if (newest >= count) {
            throw malformed("index behind the dynamic table");
        }
        return (oldest + count - 1 - newest) * WIDTH;
    }

    private void resize(int newSize) throws ConnectionError {
        if (newSize > limit) {
            throw malformed("dynamic table larger than its limit");
        }
        maxSize = newSize;
        evict(newSize);
    }

    /** Removes the oldest entries until the others fit into {@code most}. */
    private void evict(int most) {
        while (size > most) {
            int at = oldest * WIDTH;
            size -= entries[at + 2] - entries[at] + ENTRY_OVERHEAD;
            oldest++;
            count--;
        }
        if (count == 0) {
            oldest = 0;
        }
    }

    /** Adds an entry. An entry that is larger than the table empties the table, which is no fault (RFC 7541 section 4.4). */
    private void insert(byte[] from, int start, int nameEnd, int valueEnd) {
        int length = valueEnd - start;
        int counted = length + ENTRY_OVERHEAD;
        evict(Math.max(0, maxSize - counted));
        if (counted > maxSize) {
            return;
        }
        int at = roomForOctets(length);
        int entry = roomForEntry();
        System.arraycopy(from, start, octets, at, length);
        entries[entry] = at;
        entries[entry + 1] = at + nameEnd - start;
        entries[entry + 2] = at + length;
        count++;
        size += counted;
    }

    /** Makes room for the octets of a new entry. Returns where it begins. */
    private int roomForOctets(int length) {
        int begin = count == 0 ? 0 : entries[oldest * WIDTH];
        int used = count == 0 ? 0 : entries[(oldest + count) * WIDTH - 1];
        if (octets.length - used >= length) {
            return used;
        }
        int live = used - begin;
        byte[] target = octets;
        if (octets.length < live + length) {
            target = new byte
                    [Math.min(
                            limit - ENTRY_OVERHEAD,
                            Math.max(FIRST_OCTETS, Math.max(2 * octets.length, live + length)))];
        }
        System.arraycopy(octets, begin, target, 0, live);
        octets = target;
        for (int i = oldest * WIDTH; i < (oldest + count) * WIDTH; i++) {
            entries[i] -= begin;
        }
        return live;
    }

    private int roomForEntry() {
        int behind = (oldest + count) * WIDTH;
        if (behind == entries.length) {
            int[] target = count * 2 * WIDTH <= entries.length && count > 0
                    ? entries
                    : new int[Math.max(FIRST_ENTRIES * WIDTH, 2 * count * WIDTH)];
            System.arraycopy(entries, oldest * WIDTH, target, 0, count * WIDTH);
            entries = target;
            oldest = 0;
            behind = count * WIDTH;
        }
        return behind;
    }
}
