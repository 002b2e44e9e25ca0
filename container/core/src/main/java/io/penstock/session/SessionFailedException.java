package io.penstock.session;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A session could not be read, deleted or given another id. The failure has been logged, at a limited rate, because a broken disk can cause
 * one in each request.
 */
public final class SessionFailedException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    SessionFailedException(String what, IOException cause) {
        super(what, cause);
    }
}
