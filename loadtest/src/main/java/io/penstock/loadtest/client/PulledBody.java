package io.penstock.loadtest.client;

import java.util.function.Supplier;

/** A body whose source is read only when the socket can take more bytes. */
record PulledBody(long length, Supplier<Source> sources) implements Body {

    PulledBody {
        if (length < CHUNKED) {
            throw new IllegalArgumentException("A body cannot have " + length + " bytes");
        }
    }

    @Override
    public Source open() {
        return sources.get();
    }
}
