package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.Kind;
import java.util.function.Function;

/** The table of slow clients. */
enum SlowClient {
    /** Sends a byte of a body each half second. */
    UPLOAD(1, target -> new Kind.Upload(target, 10 << 20, 0, 1, 500)),

    /** Sends 128 KB at once, which is more than a server keeps in memory before it calls the servlet, and then a byte each half second. */
    BURST_UPLOAD(1, target -> new Kind.Upload(target, 10 << 20, 128 << 10, 1, 500)),

    /** Reads 500 bytes of a response each half second. */
    READER(1, target -> new Kind.Reader(target, 500, 500)),

    /** Sends half a request head, and then nothing more. */
    HALF_HEAD(0, Kind.HalfHead::new),

    /** Sends half of the first message of TLS, and then nothing more. */
    HALF_HELLO(0, Kind.HalfHandshake::inHello),

    /** Sends the first message of TLS, and not the second. */
    HALF_HANDSHAKE(0, Kind.HalfHandshake::behindHello);

    private final int files;
    private final Function<Target, Kind> kind;

    /** @param files the most files that a server has open for the client: the body or response on disk, or a file that is sent */
    SlowClient(int files, Function<Target, Kind> kind) {
        this.files = files;
        this.kind = kind;
    }

    /**
     * A group of slow clients that do the same.
     *
     * @param path the path of their requests
     */
    record Group(int size, SlowClient client, String path) {
        int files() {
            return size * client.files;
        }

        Kind at(Target target) {
            return client.kind.apply(target);
        }
    }

    /** Returns a group of such clients. */
    Group times(int size, String of) {
        return new Group(size, this, of);
    }
}
