package io.penstock.http2;

import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.IncomingBody;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a connection that are not over, by their numbers, and what is known of the last numbers (RFC 9113 section 5.1.1). Clients
 * use odd numbers.
 *
 * <p>Thread: the reactor.
 */
final class StreamTable {
    private static final int SIZE = 64; // a power of two

    private final @Nullable Http2Stream[] table = new @Nullable Http2Stream[SIZE];
    private int size;
    private int last;

    // Of the last 64 numbers: which have been used, and which of these streams the server has reset before their client
    // had ended them. Bit 0 is the last number.
    private long used;
    private long cut;

    // Whether the server has reset one of the streams before those. Which one is not known any more.
    private boolean cutEarlier;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** The highest number that the client has used; 0 if it has used none. */
    int last() {
        return last;
    }

    /** The client uses this number, which is higher than {@link #last}. */
    void use(int number) {
        int step = (number - last) / 2;
        cutEarlier |= step >= 64 ? cut != 0 : step > 0 && cut >>> 64 - step != 0;
        used = (step >= 64 ? 0 : used << step) | 1;
        cut = step >= 64 ? 0 : cut << step;
        last = number;
    }

    /** Whether a stream with this number, not higher than {@link #last}, has been open. False if that was long ago. */
    boolean wasUsed(int number) {
        return isIn(used, number);
    }

    /** The server has reset this stream, so that frames of its client may be on their way (RFC 9113 section 5.1). */
    void cut(int number) {
        if (last - number < 128) {
            cut |= 1L << (last - number) / 2;
        } else {
            cutEarlier = true;
        }
    }

    /** As {@link #cut}. True also if that may have been long ago: many streams can begin while a reset is on its way. */
    boolean wasCut(int number) {
        return last - number < 128 ? isIn(cut, number) : cutEarlier;
    }

    private boolean isIn(long of64, int number) {
        return last - number < 128 && (of64 >>> (last - number) / 2 & 1) != 0;
    }

    void add(Http2Stream stream) {
        int at = index(stream.number());
        stream.nextInTable = table[at];
        table[at] = stream;
        size++;
    }

    /** Returns whether the stream was in the table. */
    boolean remove(Http2Stream stream) {
        int at = index(stream.number());
        Http2Stream before = null;
        Http2Stream one = table[at];
        while (one != null && one != stream) {
            before = one;
            one = one.nextInTable;
        }
        if (one == null) {
            return false;
        }
        if (before == null) {
            table[at] = stream.nextInTable;
        } else {
            before.nextInTable = stream.nextInTable;
        }
        stream.nextInTable = null;
        size--;
        return true;
    }

    @Nullable
    Http2Stream find(int number) {
        Http2Stream one = table[index(number)];
        while (one != null && one.number() != number) {
            one = one.nextInTable;
        }
        return one;
    }

    /** A copy, since streams end while their list is used. */
    List<Http2Stream> all() {
        List<Http2Stream> all = new ArrayList<>(size);
        for (Http2Stream first : table) {
            for (Http2Stream one = first; one != null; one = one.nextInTable) {
                all.add(one);
            }
        }
        return all;
    }

    int count(Predicate<Http2Stream> which) {
        int count = 0;
        for (Http2Stream stream : all()) {
            count += which.test(stream) ? 1 : 0;
        }
        return count;
    }

    /**
     * What the connection and its streams hold.
     *
     * @param unread bytes that no stream has taken yet
     */
    ConnectionSnapshot snapshot(Http2Connection of, long unread) {
        List<String> described = new ArrayList<>();
        long inMemory = unread;
        long onDisk = 0;
        long out = 0;
        long files = 0;
        for (Http2Stream stream : all()) {
            Http2Exchange running = stream.exchange();
            described.add(running == null ? stream.output().observer().describe() : running.describe());
            Tunnel tunnel = stream.tunnel();
            IncomingBody body = running == null ? null : tunnel == null ? running.incoming() : tunnel.incoming();
            inMemory += body == null ? 0 : body.inMemory();
            onDisk += body == null ? 0 : body.onDisk();
            out += stream.output().pipe().size();
            files += stream.output().pipe().inFiles();
        }
        return new ConnectionSnapshot(
                of.id(),
                of.link().remote(),
                of.state(),
                of.ageNanos(),
                described.isEmpty() ? "" : described.get(0),
                described.isEmpty() ? List.of() : described.subList(1, described.size()),
                inMemory,
                onDisk,
                out,
                files);
    }

    private static int index(int number) {
        return number >>> 1 & SIZE - 1;
    }
}
